Puppet::Type.newtype(:t_child, parent: Puppet::Type.type(:t_old)) do
  newparam(:name, namevar: true)
  newproperty(:own)
end rescue Puppet::Type.newtype(:t_child) { newparam(:name, namevar: true); newproperty(:own) }
