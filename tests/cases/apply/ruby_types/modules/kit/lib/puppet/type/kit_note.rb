# A file with a line for each property.
require 'puppet/parameter/boolean'

Puppet::Type.newtype(:kit_note) do
  @doc = 'A file with properties.'

  feature :colourful, 'Notes may have colours', methods: [:colour, :colour=]
  feature :folding, 'Notes can be folded'

  ensurable do
    defaultvalues
    defaultto :present
  end

  newparam(:path, namevar: true) do
    validate { |value| raise ArgumentError, "a note needs a full path, not '#{value}'" unless value.start_with?('/') }
  end

  newproperty(:size) do
    newvalues(:small, :large, /\A\d+cm\z/)
    aliasvalue(:big, :large)
  end

  newproperty(:text) do
    munge { |value| value.to_s.strip }
    def change_to_s(current, wanted)
      "text went from #{is_to_s(current)} to #{should_to_s(wanted)}"
    end
  end

  newproperty(:words, array_matching: :all) do
    defaultto { resource[:text] == 'with words' ? %w[one two] : nil }
    def insync?(current)
      current.is_a?(Array) && current.sort == should.sort
    end
  end

  newproperty(:colour, required_features: :colourful)
  newproperty(:folds, required_features: :folding)
  newparam(:stamp, boolean: true, parent: Puppet::Parameter::Boolean) { defaultto false }
  newparam(:mood) { newvalues(:good, :bad) }

  autorequire(:file) { File.dirname(self[:path]) }

  validate do
    raise Puppet::Error, 'bad notes have no text' if self[:mood] == :bad && self[:text]
  end

  def refresh
    provider.stamp if stamp?
  end
end
