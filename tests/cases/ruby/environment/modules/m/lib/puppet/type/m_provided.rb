Puppet::Type.newtype(:m_provided) do
  ensurable
  newparam(:name)
end
