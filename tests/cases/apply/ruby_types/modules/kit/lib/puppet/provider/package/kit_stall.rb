# A provider without a list of packages, whose packages can be held.
Puppet::Type.type(:package).provide :kit_stall, parent: :kit_shop do
  confine exists: ENV.fetch('KIT_SHELVES', '/nonexistent')

  def self.prefetch(*); end

  def query
    found = super
    found&.merge(mark: File.exist?("#{path}.hold") ? :hold : :none)
  end

  def hold
    File.write("#{path}.hold", '')
  end

  def unhold
    File.unlink("#{path}.hold")
  end
end
