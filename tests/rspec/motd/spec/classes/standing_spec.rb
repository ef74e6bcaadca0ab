# frozen_string_literal: true

require 'spec_helper'

# State that an example leaves does not exist for the next one, although both have the same set-up.
describe 'motd::install' do
  context 'after settings, variables and directories of an example' do
    it 'leaves something' do
      catalogue
      Puppet[:trace] = true
      Puppet[:strict] = :off
      Puppet.push_context({ left: 'behind' }, 'left')
      ENV['MOTD_LEFT'] = 'behind'
      $LOAD_PATH << '/nonexistent/left'
      expect([Puppet[:trace], Puppet[:strict], Puppet.lookup(:left), ENV['MOTD_LEFT']]).to eq([true, :off, 'behind', 'behind'])
    end

    it { expect(Puppet[:trace]).to be(false) }
    it { expect(Puppet[:strict]).not_to eq(:off) }
    it { expect(Puppet.lookup(:left) { 'nothing' }).to eq('nothing') }
    it { expect(ENV.fetch('MOTD_LEFT', 'nothing')).to eq('nothing') }
    it { expect($LOAD_PATH).not_to include('/nonexistent/left') }
    it { is_expected.to compile }
  end

  context 'after a setting with a hook' do
    it('leaves it') { Puppet[:log_level] = 'debug' }
    it { expect([Puppet[:log_level], Puppet[:code]]).to eq(['notice', '']) }
  end

  context 'after a service' do
    it('leaves it') { Puppet.runtime[:http] = 'left' }
    it { expect(Puppet.runtime[:http]).not_to eq('left') }
  end

  context 'after a terminus' do
    it('leaves it') { Puppet::Node.indirection.terminus_class = :memory }
    it { expect(Puppet::Node.indirection.terminus_class).not_to eq(:memory) }
  end

  context 'after functions' do
    it 'leaves some' do
      Puppet::Parser::Functions.newfunction(:left_behind) { |_| nil }
      Puppet::Parser::Functions.newfunction(:left_at_the_root, environment: Puppet.lookup(:root_environment)) { |_| nil }
      expect(Puppet::Parser::Functions.function(:left_behind)).to eq('function_left_behind')
    end

    it { expect(Puppet::Parser::Functions.function(:left_behind)).to be(false) }
    it { expect(Puppet::Parser::Functions.function(:left_at_the_root)).to be(false) }
    it { expect(Puppet::Parser::Functions.function(:notice)).to eq('function_notice') }
  end

  context 'with settings of its own' do
    let(:strict_variables) { false }

    it { expect(Puppet[:strict_variables]).to be(false) }

    context 'and others' do
      let(:strict_variables) { true }

      it { expect(Puppet[:strict_variables]).to be(true) }
    end
  end

  context 'with features that are stubbed or added' do
    it 'sees the stub' do
      allow(Puppet.features).to receive(:posix?).and_return('stubbed')
      catalogue
      expect(Puppet.features.posix?).to eq('stubbed')
    end

    it('sees what is added') { Puppet.features.add(:posix) { false } && expect(Puppet.features.posix?).to(be(false)) }
    it { expect([Puppet.features.posix?, Puppet.features.microsoft_windows?]).to eq([true, false]) }
  end

  context 'with facts that are changed within' do
    changed = { 'os' => { 'name' => 'Debian', 'family' => 'Debian', 'release' => { 'major' => '12' } } }
    let(:facts) { changed }

    it { expect(facts_hash('a')['os']['release']['major']).to eq('12') }

    it 'sees the change' do
      changed['os']['release']['major'] = '13'
      expect(facts_hash('a')['os']['release']['major']).to eq('13')
    end
  end
end

describe 'motd' do
  context 'with a catalog that is changed' do
    let(:params) { { text: 'changed' } }

    it { is_expected.to compile }

    it 'has a cycle then' do
      catalogue.resource('Package', 'motd-tools')[:require] = Puppet::Resource.new('File', '/etc/motd.d/done')
      is_expected.not_to compile
    end

    it 'has a value then that no type takes' do
      catalogue.resource('File', '/etc/motd')[:ensure] = 'nonsense/'
      is_expected.to compile.and_raise_error(/You cannot specify more than one/)
    end
  end
end

# Code within modules, where constants are those of modules around it.
module Within
  module Names
    class Lookup
      def classes
        [Resolv::DNS, Concurrent::Map, Puppet::Pops::Parser::EvaluatingParser, Module.const_get('Facts::Linux')]
      end
    end
  end
end

describe 'what few examples look at' do
  it { expect(Facter.value('kernel')).to eq('Linux') }
  it { expect(Facter::Resolvers::Uname.resolve(:kernelname)).to eq('Linux') }
  it { expect { NoSuchConstant }.to raise_error(NameError, /uninitialized constant.*NoSuchConstant/) }

  it { expect(Hocon).to respond_to(:load) }

  it { expect(Within::Names::Lookup.new.classes.map(&:to_s)).to eq(%w[Resolv::DNS Concurrent::Map Puppet::Pops::Parser::EvaluatingParser Facts::Linux]) }
end

describe 'motd::config' do
  before(:all) do
    Puppet[:trace] = true
    Puppet.push_context({ left: 'before all' }, 'left')
  end

  it { expect([Puppet[:trace], Puppet.lookup(:left)]).to eq([true, 'before all']) }
  it { expect([Puppet[:trace], Puppet.lookup(:left)]).to eq([false, 'before all']) }
end
