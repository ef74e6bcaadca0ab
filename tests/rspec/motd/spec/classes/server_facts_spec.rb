# frozen_string_literal: true

require 'spec_helper'

# From version 3 of rspec-puppet on, the server facts come from Facter, which has the facts of the example, and deferred functions are
# called, as the examples of this file check.
describe 'motd::config', if: RSpec.configuration.respond_to?(:facter_implementation) do
  let(:pre_condition) { "class motd($mode = '0640', $text = '', $secret = undef, $parts = []) { }\ninclude motd\npackage { 'motd-tools': }" }
  let(:post_condition) { 'notify { "${server_facts[servername]} ${server_facts[serverip]}": }' }

  %w[one two].each_with_index do |name, number|
    context "with the network of #{name}" do
      let(:facts) { { 'networking' => { 'ip' => "10.0.0.#{number}", 'hostname' => name, 'domain' => 'example.org', 'fqdn' => "#{name}.example.org" } } }

      it { is_expected.to contain_notify("#{name}.example.org 10.0.0.#{number}") }
    end
  end

  context 'with default facts' do
    it { is_expected.to contain_notify('box.example.com 192.0.2.7') }
  end

  context 'with a node of its own' do
    let(:node) { 'six.example.org' }

    it { is_expected.to contain_notify('six.example.org 192.0.2.7') }
  end

  context 'with a deferred function' do
    let(:post_condition) { "notify { 'n': message => Deferred('upcase', ['x']) }" }

    it { is_expected.to contain_notify('n').with_message('X') }
  end
end
