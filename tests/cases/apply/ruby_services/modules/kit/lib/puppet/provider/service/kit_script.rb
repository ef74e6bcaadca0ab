# Scripts in another directory.
Puppet::Type.type(:service).provide :kit_script, parent: :init do
  def self.defpath
    ENV.fetch('KIT_SERVICES')
  end
end
