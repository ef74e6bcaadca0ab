require 'puppet/parameter/boolean'

Puppet::Type.newtype(:m_plain) do
  @doc = 'A type with a bit of everything.'

  feature :loud, 'It makes noise.', methods: [:shout]
  ensurable do
    defaultvalues
    newvalue(:latest) { provider.update }
    aliasvalue :installed, :present
    defaultto :present
  end

  newparam(:name, namevar: true) do
    desc 'What it is called.'
    validate { |value| raise ArgumentError, 'no name' if value.empty? }
  end

  newparam(:force, boolean: true, parent: Puppet::Parameter::Boolean)

  newproperty(:level, required_features: :loud) do
    newvalues(:low, :high, /^\d+$/)
    munge { |value| value.to_s }
    def insync?(is)
      is == should
    end
  end

  newproperty(:parts, array_matching: :all)

  autorequire(:file) { self[:name] }
  validate { fail 'forced' if self[:force] && self[:level].nil? }
end
