Puppet::Type.type(:m_loose).provide(:other) do
  desc 'A provider in another module than its type.'
end
