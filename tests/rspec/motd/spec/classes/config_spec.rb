# frozen_string_literal: true

require 'spec_helper'

# The main class is replaced: the file that defines it is not read for this one.
describe 'motd::config' do
  let(:pre_condition) do
    <<~CODE
      class motd($mode = '0640', $text = 'unused', $secret = undef, $parts = []) { }
      include motd
      package { 'motd-tools': }
    CODE
  end

  it { is_expected.to compile }
  it { is_expected.to contain_file('/etc/motd').with_mode('0640').with_content("from the data of the module\n") }
end
