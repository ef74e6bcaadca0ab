Puppet::Type.newtype(:m_broken) do
  raise Puppet::Error, 'not today'
end
