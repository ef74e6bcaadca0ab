# Providers of services from which those of modules inherit. Resources that name one of them use the native one.

# frozen_string_literal: true

service = Puppet::Type.type(:service)

# Runs the command of an action: the one of the manifest, or the result of the method "<action>cmd".
service.provide(:service) do
  def self.instances
    []
  end

  def start
    service_command(:start)
    nil
  end

  def stop
    service_command(:stop)
    nil
  end

  def restart
    return service_command(:restart) && nil if @resource[:restart] || restartcmd

    stop
    start
  end

  def restartcmd; end

  def service_execute(action, command, fails = true, squelch = false, combine = true)
    execute(command, failonfail: fails, override_locale: false, squelch: squelch, combine: combine)
  rescue Puppet::ExecutionFailure => e
    @resource.fail Puppet::Error, "Could not #{action} #{@resource.ref}: #{e}", e
  end

  def texecute(*arguments)
    service_execute(*arguments)
    nil
  end

  def service_command(action, fails = true)
    service_execute(action, command_of(action), fails)
  end

  def ucommand(action, fails = true)
    texecute(action, command_of(action), fails)
  end

  private

  def command_of(action)
    own = @resource[action]
    own ? [own] : [send(:"#{action}cmd")].flatten
  end
end

# Services that are processes, found by their pattern in the list of processes.
service.provide(:base, parent: :service) do
  commands kill: 'kill'

  def status
    is_running = @resource[:status] || statuscmd ? service_command(:status, false).exitstatus.zero? : !getpid.nil?
    is_running ? :running : :stopped
  end

  def startcmd
    @resource[:binary] || raise(Puppet::Error, 'Services must specify a start command or a binary')
  end

  def stop
    return super if @resource[:stop] || stopcmd

    number = getpid
    if number.nil?
      info "#{name} is not running"
      return false
    end
    kill number
    true
  rescue Puppet::ExecutionFailure => e
    @resource.fail Puppet::Error, "Could not kill #{name}, PID #{number}: #{e}", e
  end

  def statuscmd; end
  def stopcmd; end

  private

  def getpid # rubocop:disable Naming/AccessorMethodName
    pattern = @resource[:pattern] or @resource.fail('Either stop/status commands or a pattern must be specified')
    line = execute('ps -ef').lines.find { |one| one.scrub.match?(Regexp.new(pattern)) }
    line && line.split[1]
  end
end

# Services that are scripts in directories such as /etc/init.d.
service.provide(:init, parent: :base) do
  def self.defpath
    '/etc/init.d'
  end

  def initscript
    @initscript ||= search(@resource[:name])
  end

  def search(name)
    paths = Array(@resource[:path] || self.class.defpath)
    paths.flat_map { |path| [File.join(path, name), File.join(path, "#{name}.sh")] }.find { |file| File.file?(file) } or
      raise Puppet::Error, "Could not find init script for '#{name}'"
  end

  %i[start stop].each do |action|
    define_method(:"#{action}cmd") { [initscript, action] }
  end

  def restartcmd
    [initscript, :restart] if @resource[:hasrestart] == :true # rubocop:disable Lint/BooleanSymbol
  end

  def statuscmd
    [initscript, :status] if @resource[:hasstatus] == :true # rubocop:disable Lint/BooleanSymbol
  end
end
