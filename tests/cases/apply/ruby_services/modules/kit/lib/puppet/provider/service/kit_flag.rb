# Services that are files: NAME.running and NAME.enabled.
Puppet::Type.type(:service).provide :kit_flag, parent: :service do
  has_feature :enableable
  has_feature :flaggable

  def self.directory
    ENV.fetch('KIT_SERVICES')
  end

  def file(what)
    File.join(self.class.directory, "#{resource[:name]}.#{what}")
  end

  def status
    File.exist?(file(:running)) ? :running : :stopped
  end

  def start
    raise Puppet::Error, 'it does not start' if resource[:name] == 'broken'

    File.write(file(:running), "pattern #{resource[:pattern]}, manifest #{resource[:manifest].inspect}\n")
  end

  def stop
    File.delete(file(:running))
  end

  def restart
    File.write(file(:running), "restarted\n", mode: 'a')
  end

  def enabled?
    File.exist?(file(:enabled)) ? :true : :false # rubocop:disable Lint/BooleanSymbol
  end

  def enable
    File.write(file(:enabled), '')
  end

  def disable
    File.delete(file(:enabled))
  end

  def flags
    File.exist?(file(:flags)) ? File.read(file(:flags)) : ''
  end

  def flags=(value)
    File.write(file(:flags), value)
  end

  def flush
    notice('flushed')
  end
end
