# frozen_string_literal: true

# For tests in Ruby: a server with its own authority, and hosts that run the agent, all below one directory.
require 'fileutils'
require 'open3'
require 'openssl'
require 'socket'
require 'timeout'

module Clock
  def self.now = Process.clock_gettime(Process::CLOCK_MONOTONIC)
end

# Counts and prints the checks of a test.
module Checks
  def check(title, is_good = yield)
    @failures = @failures.to_i + (is_good ? 0 : 1)
    puts "#{is_good ? 'ok     ' : 'FAILED '} #{title}"
    $stdout.flush
    is_good
  end

  def finish
    puts "#{@failures} checks failed" if @failures.to_i.positive?
    exit(@failures.to_i.positive? ? 1 : 0)
  end
end

# `bunraku server` with its directories.
class AgentSite
  attr_reader :top, :port, :id

  def initialize(program, top, port, settings: {}, auth: nil, authority: nil)
    @program = program
    @top = top
    @port = port
    write('server/conf/puppet.conf', <<~CONF)
      [main]
      confdir = #{top}/server/conf
      vardir = #{top}/server/var
      codedir = #{top}/code
      ssldir = #{top}/server/ssl
      basemodulepath = #{top}/none
      certname = localhost
      dns_alt_names = localhost
      [server]
      autosign = true
      keylength = 2048
      #{settings.map { |name, value| "#{name} = #{value}" }.join("\n")}
    CONF
    write('server/conf/puppetserver/conf.d/auth.conf', auth) if auth
    write('server/conf/puppetserver/conf.d/ca.conf', authority) if authority
    manifest("notify { 'nothing': }\n")
  end

  def path(name) = "#{top}/#{name}"

  def write(name, text)
    FileUtils.mkdir_p(File.dirname(path(name)))
    File.binwrite(path(name), text)
  end

  def manifest(text) = write('code/environments/production/manifests/site.pp', text)

  def module_file(name, text) = write("code/environments/production/modules/#{name}", text)

  def webserver(text) = write('server/conf/puppetserver/conf.d/webserver.conf', text)

  def start(environment = {}, *options)
    File.write(log, '')
    @id = Process.spawn(environment, @program, 'server', '--confdir', path('server/conf'), '--listen', "127.0.0.1:#{port}", '--access-log', path('server/access.log'), *options,
                        out: File::NULL, err: [log, 'a'])
    deadline = Clock.now + 60
    until File.read(log).include?('listening on')
      raise "the server does not start: #{File.read(log)}" if Clock.now > deadline || Process.wait(@id, Process::WNOHANG)

      sleep(0.02)
    end
    self
  end

  def stop(signal = :TERM)
    return unless @id

    Process.kill(signal, @id)
    Process.wait(@id)
    @id = nil
  end

  def log = path('server/server.log').tap { |name| FileUtils.mkdir_p(File.dirname(name)) }

  def ca(*words) = Open3.capture2e(@program, 'ca', *words, '--confdir', path('server/conf')).first
end

# A host: `bunraku agent` with its own directories.
class AgentHost
  attr_reader :name, :home, :output

  def initialize(program, home, name, port, *options)
    @program = program
    @home = home
    @name = name
    FileUtils.mkdir_p(path('out'))
    @options = ['--confdir', path('conf'), '--codedir', path('code'), '--vardir', path('var'), '--logdir', path('log'), '--rundir', path('run'), '--publicdir', path('public'),
                '--ssldir', path('ssl'), '--server', 'localhost', '--serverport', port.to_s, '--certname', name, '--key_type', 'ec', *options]
  end

  def path(name) = "#{home}/#{name}"

  # Returns the exit code of a run.
  def run(*options, environment: {})
    @output, status = Open3.capture2e({ 'FACTER_out' => path('out') }.merge(environment), @program, 'agent', *@options, '--test', *options)
    status.exitstatus
  end

  def spawn(*options, environment: {}, log: path('agent.log'))
    Process.spawn({ 'FACTER_out' => path('out') }.merge(environment), @program, 'agent', *@options, *options, %i[out err] => [log, 'a'])
  end

  def lock? = File.exist?(path('var/state/agent_catalog_run.lock'))
end
