# frozen_string_literal: true

require 'spec_helper'

describe 'Motd::Mode' do
  it { is_expected.to allow_values('0644', '0700') }
  it { is_expected.not_to allow_value('644') }
  it('fails to show the value') { is_expected.to allow_value('rwx') }
end
