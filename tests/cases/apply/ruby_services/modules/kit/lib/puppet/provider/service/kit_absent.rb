# A provider whose program the host does not have.
Puppet::Type.type(:service).provide :kit_absent, parent: :service do
  commands absent: '/no/such/program'
end
