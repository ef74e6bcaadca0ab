# frozen_string_literal: true

require 'spec_helper'

# The facts of an example that providers, types and functions get from Facter.
describe 'motd::install' do
  let(:facts) do
    { 'os' => { 'name' => 'Example', 'family' => 'Examples', 'release' => { 'major' => '12', 'full' => '12.5' }, 'list' => %w[a b] },
      'networking' => { 'ip' => '192.0.2.1', 'mtu' => 1500 }, 'is_here' => true, 'is_there' => false, 'count' => 3, 'kernel' => 'Other' }
  end

  {
    'os.name' => 'Example', 'os.release.major' => '12', 'os.release' => { 'major' => '12', 'full' => '12.5' }, 'os.architecture' => nil,
    'os.release.minor' => nil, 'os.name.more' => nil, 'os.list.0' => 'a', 'networking.ip' => '192.0.2.1', 'networking.mtu' => 1500,
    'is_here' => true, 'is_there' => false, 'count' => 3, 'kernel' => 'Other', 'no_such_fact' => nil, 'OS.Name' => 'Example'
  }.each do |name, value|
    it "has #{name}" do
      catalogue
      expect(Facter.value(name)).to eq(value)
    end
  end

  it 'takes facts that are added' do
    catalogue
    Facter.add(:added) { setcode { 4 } }
    expect(Facter.value(:added)).to eq(4)
  end
end
