Puppet::Type.newtype(:m_loose) do
  @isomorphic = false

  newparam(:command, namevar: true)
end
