require_relative 'session'

module Oracle
  # Keeps the environment that it has parsed, as a server does.
  class WarmSession < Session
    private

    def in_environment(request)
      path, name = File.split(request['environment'])
      Puppet[:environmentpath] = path
      directories = Puppet::Environments::Directories.new(path, base_modulepath)
      # The loader must be current when the environment is created, because it is queried for the
      # environment's settings.
      @warm ||= Puppet.override(environments: directories) { directories.get!(name) }
      loader = Puppet::Environments::StaticDirectory.new(name, request['environment'], @warm)
      Puppet.override(environments: loader) { yield @warm }
    end
  end
end
