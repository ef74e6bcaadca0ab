# frozen_string_literal: true

require 'spec_helper'

describe 'motd' do
  context 'with data of the module' do
    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_file('/etc/motd').with_content("from the data of the module\n").with_mode('0644') }
    it { is_expected.to contain_file('/etc/motd').that_requires('Package[motd-tools]') }
    it { is_expected.to contain_file('/etc/motd').that_notifies(['Exec[motd-changed]', 'File[/etc/motd.d/done]']) }
    it { is_expected.to contain_file('/etc/motd.d').that_comes_before('File[/etc/motd.d/done]') }
    it { is_expected.to contain_class('motd::install').that_comes_before('Class[motd::config]') }
    it { is_expected.to contain_file('/etc/motd').with_require('Package[motd-tools]') }
    it { is_expected.to contain_file('/etc/motd').only_with(ensure: 'file', mode: '0644', content: /data/, require: 'Package[motd-tools]', notify: ['Exec[motd-changed]', 'File[/etc/motd.d/done]']) }
    it { is_expected.to contain_package('tools') }
    it { is_expected.to contain_file('/etc/motd.d/done').with_content(/\Adone box/) }
    it { is_expected.to have_class_count(3) }
    it { is_expected.to have_file_resource_count(3) }
    it { is_expected.not_to contain_file('/etc/motd.secret') }
    it { expect(catalogue.resource('File', '/etc/motd').file).to end_with('/motd/manifests/config.pp') }
    it { expect(catalogue.resource('File', '/etc/motd').line).to eq(3) }
    it { expect(catalogue.resource('Class', 'motd').to_hash).to include(text: 'from the data of the module', exports: false) }
    it { expect(catalogue.classes).to include('motd', 'motd::config') }
    it { expect(catalogue.container_of(catalogue.resource('File[/etc/motd]')).ref).to eq('Class[Motd::Config]') }
  end

  context 'with global data' do
    let(:hiera_config) { File.expand_path('../fixtures/hiera/hiera.yaml', __dir__) }

    it { is_expected.to contain_file('/etc/motd').with_content("from the global data\n") }
  end

  context 'with parameters' do
    let(:params) do
      { text: 'given $5 and "quotes"', parts: %w[one two], secret: sensitive('hush'), mode: '0600' }
    end

    it { is_expected.to compile.with_all_deps }
    it { is_expected.to contain_file('/etc/motd').with_content("given $5 and \"quotes\"\n") }
    it { is_expected.to contain_file('/etc/motd.secret').with_content(sensitive('hush')) }
    it { is_expected.to contain_motd__part('one').with_order(10).with_options({}) }
    it { is_expected.to contain_motd__part('two').without_tag }
    it { is_expected.to contain_notify('part one') }
    it { expect(catalogue.resource('Notify', 'part one')[:message]).to include('order' => 10) }
  end

  context 'with another network' do
    let(:node) { 'web01.example.net' }
    let(:facts) { { 'networking' => { 'hostname' => 'other', 'fqdn' => 'other.example.net' } } }
    let(:trusted_facts) { { 'pp_role' => 'front' } }

    it { is_expected.to contain_notify('node web01.example.net front') }
    it { is_expected.to contain_file('/etc/motd.d/done').with_content('done web01.example.net') }
  end

  context 'with exported resources' do
    let(:params) { { exports: true } }

    it { is_expected.to compile }
    it { expect(exported_resources).to contain_motd__part('exported-box').with_content('elsewhere') }
    it { expect(exported_resources).not_to contain_file('/etc/motd') }
  end

  context 'with a wrong parameter' do
    let(:params) { { mode: 'rw' } }

    it { is_expected.to compile.and_raise_error(/parameter 'mode' expects a match for Motd::Mode/) }
    it { expect { catalogue }.to raise_error(Puppet::PreformattedError, /\(line: \d+, column: 1\) on node/) }
    it('fails to show the message') { is_expected.to compile }
  end

  context 'with code that is wrong' do
    let(:pre_condition) { ['file { "/x": ensure => ', '}}'] }

    it { is_expected.to compile.and_raise_error(/Syntax error at/) }
    it('fails to show the place') { is_expected.to compile }
  end

  context 'with a missing dependency' do
    let(:pre_condition) { 'notify { "x": require => File["/nowhere"] }' }

    it { is_expected.to compile.and_raise_error(%r{Could not find resource 'File\[/nowhere\]'}) }
  end

  context 'with a circle' do
    let(:pre_condition) { 'notify { "x": before => Notify["y"] } notify { "y": before => Notify["x"] }' }

    it { is_expected.not_to compile }
    it('fails to show the circle') { is_expected.to compile }
  end

  context 'with a type that refuses a value' do
    let(:pre_condition) { 'file { "relative": }' }

    it { is_expected.to compile.and_raise_error(/must be fully qualified|File paths/) }
  end

  it('fails for a difference') { is_expected.to contain_file('/etc/motd').with_mode('0600').with_owner('root') }
end
