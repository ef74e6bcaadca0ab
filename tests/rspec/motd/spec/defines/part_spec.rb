# frozen_string_literal: true

require 'spec_helper'

describe 'motd::part' do
  let(:title) { "it's" }
  let(:params) { { content: 'x', order: 5, options: { 'a' => [1, { 'b' => true }], 'c' => :undef } } }

  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_file("/etc/motd.d/5-it's").with_content("x\n").with_tag('motd-part') }
  it { is_expected.to contain_motd__part("it's").with_options('a' => [1, { 'b' => true }], 'c' => nil) }
  it { expect(catalogue.resource('Motd::Part', "it's").to_hash[:name]).to eq("it's") }
  it { is_expected.to contain_notify("part it's").with_message(/options/) }

  context 'without content' do
    let(:params) { {} }

    it { is_expected.to compile.and_raise_error(/expects a value for parameter 'content'/) }
  end

  context 'with a stubbed function' do
    before do
      Puppet::Parser::Functions.newfunction(:motd_stub, type: :rvalue) { |_| 'stubbed' }
    end

    let(:params) { { content: 'x' } }
    let(:pre_condition) { 'notify { motd_stub(): }' }

    it { is_expected.to contain_notify('stubbed') }
  end
end
