Puppet::Type.type(:kit_note).provide(:fancy, parent: :plain) do
  confine exists: '/no/such/file'
  has_feature :folding
end
