# A provider of the native type package: each package is a file with its version, below $KIT_SHELVES/packages.
Puppet::Type.type(:package).provide :kit_shop, parent: Puppet::Provider::Package do
  desc 'Packages of the kit.'
  has_features :versionable, :install_options

  def self.directory
    File.join(ENV.fetch('KIT_SHELVES'), 'packages')
  end

  def self.instances
    Dir.glob("#{directory}/*").sort.map do |path|
      new(name: File.basename(path), ensure: File.read(path).chomp, provider: name)
    end
  end

  def path
    File.join(self.class.directory, resource[:name])
  end

  def query
    File.exist?(path) ? { name: resource[:name], ensure: File.read(path).chomp } : nil
  end

  def latest
    raise Puppet::Error, 'the list of versions is torn' if resource[:name] == 'torn'

    resource[:source] || '9.9'
  end

  def install
    raise Puppet::Error, "#{resource[:name]} is sold out" if resource[:name] == 'rare'

    wanted = resource.should(:ensure)
    write(wanted.is_a?(Symbol) ? '1.0' : wanted)
  end

  def update
    write(latest)
  end

  def uninstall
    File.unlink(path)
  end

  def purge
    notice("Purging #{resource[:name]}")
    uninstall
  end

  def write(version)
    FileUtils.mkdir_p(self.class.directory)
    options = join_options(resource[:install_options])
    File.write(path, "#{version}#{options && " (#{options.join(' ')})"}\n")
  end
end
