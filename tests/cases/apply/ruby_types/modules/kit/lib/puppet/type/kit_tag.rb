require 'puppet/property/boolean'

# Attributes that depend on the order in which they are set, or inherit from those of files.
Puppet::Type.newtype(:kit_tag) do
  ensurable
  newparam(:name, namevar: true) { newvalues(%r{\A[\w/]+\z}) }
  newparam(:unit) { newvalues(:cm, '1', 1) }

  # Only parameters are parts of the name.
  newproperty(:size) do
    isnamevar
    munge { |value| "#{value}#{resource[:unit]}" }
  end
  newproperty(:shown, parent: Puppet::Property::Boolean)
  newproperty(:reader)
  newproperty(:lines) do
    def should=(_value)
      raise 'there are no lines'
    end
  end
  newparam(:group, parent: Puppet::Type::File::Group)
  newparam(:mode, parent: Puppet::Type::File::Mode)
  newparam(:source, parent: Puppet::Type::File::ParameterSource)

  def initialize(*)
    super
    self[:tag] = %w[of_kit Labelled]
  end

  def set_parameters(given)
    self[:unit] = given[:unit] if given.key?(:unit)
    super
  end

  def exists?
    false
  end

  def create
    notice("#{self[:name]} of #{self.class.key_attributes}: size #{self[:size]}, mode #{self[:mode]}, from #{self[:source]}")
    Puppet::Util::Execution.execute(%w[/bin/echo read], uid: self[:reader], failonfail: true) if self[:reader]
  end

  def destroy; end
end
