# frozen_string_literal: true

require 'spec_helper'

# Matchers on a catalog's graph, on names other than titles, and on resources in any order.
describe 'motd::config' do
  let(:pre_condition) { "class motd($mode = '0640', $text = '', $secret = undef, $parts = []) { }\ninclude motd\npackage { 'motd-tools': }" }

  context 'with a cycle' do
    let(:post_condition) { "notify { 'a': require => Notify['b'] } notify { 'b': require => Notify['a'] }" }

    it { is_expected.not_to compile }
  end

  context 'with a cycle through classes' do
    let(:post_condition) { "class outer { notify { 'within': } }\ninclude outer\nNotify['within'] -> Class['outer']" }

    it { is_expected.to compile }
  end

  context 'with a cycle through a class and a file below another' do
    let(:post_condition) do
      "class outer { file { '/a/b': ensure => file } }\ninclude outer\nfile { '/a': ensure => directory, require => Class['outer'] }"
    end

    it { is_expected.to compile }
  end

  # Files depend on their owners.
  context 'with an owner that depends on the file' do
    let(:post_condition) do
      "file { '/a': owner => 'someone' }\nnotify { 'between': require => File['/a'] }\nuser { 'someone': require => Notify['between'] }"
    end

    it { is_expected.not_to compile }
  end

  context 'with owners that are not in the catalog' do
    let(:post_condition) { "file { '/a': owner => 'someone', group => 'some' }\nexec { '/bin/true': user => 'someone', group => 'some' }" }

    it { is_expected.to compile.with_all_deps }
  end

  context 'with a dependency that is missing' do
    let(:post_condition) { "notify { 'a': require => Notify['none'] }" }

    it { is_expected.not_to compile }
    it { is_expected.not_to compile.with_all_deps }
  end

  context 'with a parameter that the type refuses' do
    let(:post_condition) { "file { '/a': ensure => 'somehow' }" }

    it { is_expected.to compile }
  end

  context 'with other names' do
    let(:post_condition) { "file { 'named': path => '/other/name' } notify { 'aliased': alias => ['one', 'two'] }" }

    it { is_expected.not_to contain_file('/other/name') }
    it { is_expected.to contain_file('named').with_path('/other/name') }
    it { is_expected.to contain_notify('two') }
    it { is_expected.not_to contain_notify('three') }
    it { expect(catalogue.resource('Notify', 'two')).to equal(catalogue.resource('Notify[aliased]')) }
    it { expect(catalogue.resource_keys.map(&:first).tally).to include('File' => 4, 'Notify' => 3) }
    it { expect(catalogue.resources.map(&:ref).last(3)).to eq(%w[File[named] Notify[aliased] Node[default]]) }

    it 'keeps the order of resources after one was looked at' do
      expect(catalogue.resource('Notify', 'aliased')).to equal(catalogue.resources[-2])
    end

    it { expect(catalogue.resource('File', 'named').to_ral[:path]).to eq('/other/name') }
    it { expect(catalogue.to_ral.resource('Class', 'motd::config').to_s).to eq('Class[Motd::Config]') }
    it { expect(catalogue.inspect).not_to include('bunraku') }
  end

  context 'with one name twice' do
    let(:post_condition) { "file { 'a': path => '/same' } file { 'b': path => '/same' }" }

    it { is_expected.to compile.and_raise_error(/Cannot alias File\[b\]/) }
  end

  context 'with an alias that is a title' do
    let(:post_condition) { "notify { 'a': } notify { 'b': alias => 'a' }" }

    it { is_expected.to compile.and_raise_error(/Cannot alias Notify\[b\]/) }
  end

  context 'with relations that types make by themselves' do
    let(:post_condition) do
      "file { ['/r', '/r/s']: ensure => directory } file { '/r/s/t': owner => 'u' } user { 'u': ensure => present, gid => 'g' }
      group { 'g': } exec { '/r/s/t': cwd => '/r/s', subscribe => File['/r'] }"
    end

    it { is_expected.to contain_file('/r/s/t').that_requires(['File[/r/s]', 'File[/r]', 'User[u]', 'Group[g]']) }
    it { is_expected.to contain_file('/r').that_comes_before(['File[/r/s]', 'File[/r/s/t]', 'Exec[/r/s/t]']) }
    it { is_expected.to contain_group('g').that_comes_before('User[u]').that_comes_before('File[/r/s/t]') }
    it { is_expected.not_to contain_file('/r/s').that_requires('File[/r/s/t]') }
    it { is_expected.not_to contain_user('u').that_requires('File[/r]') }
    it { is_expected.to contain_exec('/r/s/t').that_subscribes_to('File[/r]').that_requires('File[/r/s]') }
    it { is_expected.not_to contain_exec('/r/s/t').that_subscribes_to('File[/r/s]') }
  end

  context 'with facts that examples change' do
    shared = { 'os' => { 'name' => 'Debian', 'family' => 'Debian', 'release' => { 'major' => '12' } } }
    let(:facts) { shared }
    let(:post_condition) { 'notify { "release ${facts[os][release][major]}": }' }

    it { is_expected.to contain_notify('release 12') }

    it 'as they are then' do
      shared['os']['release']['major'] = '13'
      is_expected.to contain_notify('release 13')
    end

    it { is_expected.to contain_notify('release 13') }

    it('as text') { expect(facts_hash('n')['os']['release'].merge!('major' => 1)['major']).to eq(1) }
  end
end
