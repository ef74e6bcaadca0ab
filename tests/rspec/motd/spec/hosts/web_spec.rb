# frozen_string_literal: true

require 'spec_helper'

describe 'web02.example.com' do
  let(:trusted_facts) { { 'pp_role' => 'back' } }
  let(:node_params) { { 'from_node' => 'yes' } }
  let(:pre_condition) { 'notify { "${from_node} ${site_wide} ${environment}": }' }

  it { is_expected.to compile }
  it { is_expected.to contain_notify('node web02.example.com back') }
  it { is_expected.to contain_notify('yes true rp_env') }
end
