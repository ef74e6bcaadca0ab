# Lines "name: value [comment]" of a file.
Puppet::Type.newtype(:kit_entry) do
  ensurable
  newparam(:name, namevar: true)
  newproperty(:value)
  newproperty(:comment)
  newproperty(:target) { defaultto { resource.class.defaultprovider.default_target } }
end
