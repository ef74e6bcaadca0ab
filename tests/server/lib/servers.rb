# frozen_string_literal: true

# Servers that tests start and stop, each with its own site.
require 'fileutils'
require 'net/http'
require 'socket'

# Common to both servers: a process, a port, and readiness.
class TestServer
  attr_reader :port, :id

  def initialize(site, port)
    @site = site
    @port = port
  end

  def start(seconds)
    @id = spawn_process
    deadline = now + seconds
    until answers?
      raise "the server ended: #{tail}" if Process.wait(@id, Process::WNOHANG)
      raise "the server does not answer: #{tail}" if now > deadline

      sleep(0.02)
    end
    self
  end

  def stop
    return unless @id

    Process.kill(:TERM, @id)
    Process.wait(@id)
    @id = nil
  rescue Errno::ESRCH, Errno::ECHILD
    @id = nil
  end

  # The process was already waited for elsewhere.
  def ended = @id = nil

  def tail = File.exist?(log) ? File.readlines(log).last(30).join : ''

  private

  def now = Process.clock_gettime(Process::CLOCK_MONOTONIC)

  def answers?
    http = Net::HTTP.new('127.0.0.1', @port)
    http.use_ssl = true
    http.verify_mode = OpenSSL::SSL::VERIFY_NONE
    http.open_timeout = http.read_timeout = 5
    http.get('/status/v1/simple').body == 'running'
  rescue SystemCallError, OpenSSL::SSL::SSLError, Timeout::Error, EOFError
    false
  end
end

# `bunraku server`
class OwnServer < TestServer
  # `name` distinguishes several servers of one site.
  def initialize(site, port, program, *options, name: 'server', confdir: site.path('conf'))
    super(site, port)
    @program = program
    @options = options
    @name = name
    @confdir = confdir
  end

  def log = @site.path("#{@name}.log")

  def spawn_process
    Process.spawn(@program, 'server', '--confdir', @confdir, '--vardir', @site.path('var'), '--codedir', @site.path('code'),
                  '--listen', "127.0.0.1:#{@port}", '--access-log', @site.path("#{@name.sub('server', 'access')}.log"), *@options,
                  out: File::NULL, err: [log, 'a'])
  end
end

# The reference's server from its package, with its own directories.
class ReferenceServer < TestServer
  PACKAGE = '/etc/puppet/puppetserver'

  def log = @site.path('puppetserver.log')

  def spawn_process
    conf = @site.path('conf/puppetserver')
    FileUtils.cp("#{PACKAGE}/conf.d/web-routes.conf", "#{conf}/conf.d")
    FileUtils.cp("#{PACKAGE}/conf.d/metrics.conf", "#{conf}/conf.d")
    FileUtils.cp("#{PACKAGE}/services.d/bootstrap.cfg", "#{conf}/services.d")
    webserver = "#{conf}/conf.d/webserver.conf"
    File.write(webserver, File.read(webserver).sub('8140', @port.to_s))
    FileUtils.mkdir_p(%w[var run log gems].map { |name| @site.path(name) })
    Process.spawn({ 'HOME' => @site.path('var') }, 'java', '-Xms768m', '-Xmx1g', '-Djruby.lib=/usr/share/jruby/lib',
                  '-Djruby.logger.class=com.puppetlabs.jruby_utils.jruby.Slf4jLogger', '-jar', '/usr/share/puppetserver/puppetserver.jar',
                  '--config', "#{conf}/conf.d", '--bootstrap-config', "#{conf}/services.d", '--restart-file', @site.path('run/restart'),
                  chdir: @site.top, out: @site.path('puppetserver.out'), err: %i[child out], umask: 0o022)
  end
end
