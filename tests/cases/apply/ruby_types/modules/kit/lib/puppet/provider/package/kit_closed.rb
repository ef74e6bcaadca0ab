# A provider that works on no host.
Puppet::Type.type(:package).provide :kit_closed, parent: Puppet::Provider::Package do
  commands shop: 'kit-program-that-is-nowhere'

  def query; end

  def install; end
end
