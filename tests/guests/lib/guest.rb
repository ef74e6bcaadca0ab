# A system booted with systemd in namespaces, on a writable layer over an unmodified root.
require 'fileutils'
require 'open3'
require 'shellwords'

class Guest
  attr_reader :name

  # `base` is the root of the lower layer; writes go to `directory`. With its own network it has only a loopback
  # device, and its servers do not conflict with those of other guests.
  def initialize(base, directory, name, own_network: false)
    @network = own_network ? '-n' : nil
    @base = base
    @directory = File.join(directory, name)
    @name = name
    FileUtils.mkdir_p(%w[layer root].map { |part| File.join(@directory, part) })
  end

  # Boots the guest; the files below `binds` (path in the guest => path on this machine) are
  # readable in it.
  def start(binds = {})
    script = File.join(@directory, 'boot')
    File.write(script, boot_script(binds))
    @unshare = spawn('unshare', '-Cmpfiu', *@network, '--kill-child', 'sh', script,
                     in: File::NULL, out: File.join(@directory, 'console'), err: %i[child out])
    @init = wait_for('the first process') { File.read("/proc/#{@unshare}/task/#{@unshare}/children").split.first&.to_i }
    wait_for('systemd') { %w[running degraded].include?(run('systemctl is-system-running')[0].strip) }
    self
  end

  def stop
    return unless @unshare
    Process.kill(:KILL, @unshare)
    Process.wait(@unshare)
    @unshare = nil
  end

  # The path of the guest's files on this machine.
  def root = "/proc/#{@init}/root"
  def path(inside) = root + inside

  # Returns the output, including errors, and the exit status of a shell command in the guest.
  def run(command, environment = {})
    output, status = Open3.capture2e(clean(environment), 'nsenter', '-t', @init.to_s, '-m', '-p', '-i', '-u', *@network, '-r', '-w',
                                     '/bin/sh', '-c', command, unsetenv_others: true)
    [output.force_encoding('UTF-8').scrub, status.exitstatus || 128 + status.termsig]
  end

  def run!(command)
    output, status = run(command)
    raise "#{@name}: #{command}: #{output}" unless status.zero?
    output
  end

  private

  def clean(environment)
    { 'PATH' => '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin', 'HOME' => '/root', 'LANG' => 'C.UTF-8' }
      .merge(environment)
  end

  def boot_script(binds)
    mounts = binds.map do |inside, here|
      target = File.join(@directory, 'root', inside)
      make = File.directory?(here) ? "mkdir -p #{target}" : "mkdir -p #{File.dirname(target)}; touch #{target}"
      "#{make}; mount --bind #{here.shellescape} #{target.shellescape}"
    end
    <<~SCRIPT
      set -e
      mount --make-rprivate /
      mount -t tmpfs layer #{@directory}/layer
      mkdir #{@directory}/layer/upper #{@directory}/layer/work
      mount -t overlay -o lowerdir=#{@base},upperdir=#{@directory}/layer/upper,workdir=#{@directory}/layer/work guest #{@directory}/root
      cd #{@directory}/root
      mount -t proc proc proc
      mount -t sysfs sysfs sys
      mount -t cgroup2 cgroup2 sys/fs/cgroup
      mount -t tmpfs tmpfs run
      mount --rbind /dev dev
      #{mounts.join("\n")}
      # A terminal that a guest does not have: systemd waits 90 seconds for it.
      ln -sf /dev/null etc/systemd/system/serial-getty@.service
      ln -sf /dev/null etc/systemd/system/getty@.service
      # As installers leave it; without it a server that listens on localhost may not start.
      test -e etc/hosts || printf '127.0.0.1 localhost\\n::1 localhost\\n' > etc/hosts
      hostname guest
      exec chroot . /lib/systemd/systemd
    SCRIPT
  end

  def wait_for(what)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + 120
    loop do
      found = yield
      return found if found
      raise "#{@name}: no #{what}: #{File.read(File.join(@directory, 'console'))[-2000..]}" if
        Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline || Process.wait(@unshare, Process::WNOHANG)
      sleep 0.1
    end
  end
end
