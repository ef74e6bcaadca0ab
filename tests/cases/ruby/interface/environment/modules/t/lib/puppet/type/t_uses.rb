require 'puppet/util/checksums'
require 'puppet/util/execution'
require 'pathname'

Puppet::Type.newtype(:t_uses) do
  include Puppet::Util::Execution
  include Puppet::Util::Errors

  newparam(:path, namevar: true)
  newproperty(:owner, parent: Puppet::Type.type(:file).attrclass(:owner).nil? ? Puppet::Property : Puppet::Property) do
    include Puppet::Util::Warnings
  end
  newparam(:checksum) do
    newvalues(*Puppet::Util::Checksums.known_checksum_types) if Puppet::Util::Checksums.respond_to?(:known_checksum_types)
  end
  Puppet::Type.type(:file).parameters.size
  [:group, :replace].each { |name| newparam(name) }
  newparam(:provider_like) { desc Puppet::Util::Platform.windows? ? 'w' : 'p' }
  newproperty(:loose) { isrequired }
  newparam(:quiet) { self.class.name }
  ensurable
  Puppet[:noop]
  Facter.value(:kernel)
  Puppet.debug { 'loaded' }
  Puppet.features.posix?
end
