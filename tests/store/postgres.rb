# frozen_string_literal: true

# A private PostgreSQL server for a test: as another user when the test runs as root, which PostgreSQL
# refuses.
require 'fileutils'

class Postgres
  PROGRAMS = Dir['/usr/lib/postgresql/*/bin'].max
  FAST = '-c synchronous_commit=off'

  attr_reader :port

  def initialize(directory, port, options = FAST)
    @data = "#{directory}/postgres"
    @port = port
    @options = "-c listen_addresses=127.0.0.1 -c unix_socket_directories=#{@data} -p #{port} -c fsync=off " \
               "-c full_page_writes=off -c jit=off #{options}"
    FileUtils.mkdir_p(@data)
    FileUtils.chown('postgres', 'postgres', @data) if Process.uid.zero?
    run('initdb', '-D', "#{@data}/data", '-A', 'trust', '-U', 'postgres', '--no-sync', '-E', 'UTF8', '--locale=C.UTF-8')
    start
  end

  def self.unprivileged(*command)
    Process.uid.zero? ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', *command] : command
  end

  def start
    run('pg_ctl', '-D', "#{@data}/data", '-l', "#{@data}/log", '-w', '-o', @options, 'start')
  end

  # Simulates a power failure, except that data in the system's memory survives.
  def stop
    run('pg_ctl', '-D', "#{@data}/data", '-m', 'immediate', 'stop')
  end

  def main_process
    Integer(File.foreach("#{@data}/data/postmaster.pid").first)
  end

  # Returns "HOST:PORT/NAME".
  def database(name)
    run('createdb', '-h', '127.0.0.1', '-p', @port.to_s, '-U', 'postgres', name)
    "127.0.0.1:#{@port}/#{name}"
  end

  def url(name)
    "postgresql://postgres@127.0.0.1:#{@port}/#{name}"
  end

  # A read-only replica of this server.
  def replica(directory, port)
    copy = self.class.allocate
    copy.follow(self, directory, port, @options)
    copy
  end

  def sql(database, text)
    run('psql', '-h', '127.0.0.1', '-p', @port.to_s, '-U', 'postgres', '-c', text, database)
  end

  def follow(primary, directory, port, options)
    @data = "#{directory}/postgres"
    @port = port
    @options = options.sub("-p #{primary.port}", "-p #{port}").sub(/unix_socket_directories=\S+/, "unix_socket_directories=#{@data}")
    FileUtils.mkdir_p(@data)
    FileUtils.chown('postgres', 'postgres', @data) if Process.uid.zero?
    run('pg_basebackup', '-h', '127.0.0.1', '-p', primary.port.to_s, '-U', 'postgres', '-D', "#{@data}/data", '-R', '-c', 'fast')
    start
  end

  private

  def run(program, *words)
    system(*self.class.unprivileged("#{PROGRAMS}/#{program}", *words), out: File::NULL, err: File::NULL, chdir: '/') ||
      abort("#{program} failed")
  end
end
