# A private machine for each page, so that commands may be run literally: writes below the system's directories are kept in memory
# and discarded, hosts of example.com resolve to this machine, no network port is occupied, and remaining processes are ended. It is
# made of namespaces, which require root or a kernel that permits user namespaces.
require 'fileutils'
require 'socket'

module Machine
  NAME = 'web01.example.com'.freeze
  HOSTS = %w[puppet puppet.example.com puppetdb.example.com].freeze
  # The directory for files of the page itself.
  SCRATCH = '/mnt'.freeze
  WRITABLE = %w[/etc /var /opt /run /srv /tmp].freeze
  # Neither an agent nor a server has run on this host yet.
  LEFT_BY_PACKAGES = %w[/etc/puppet /etc/puppetlabs /opt/puppetlabs /var/lib/puppet /var/cache/puppet].freeze
  SPACES = %w[unshare --mount --net --pid --uts --fork --kill-child --mount-proc].freeze

  module_function

  def inside? = ENV.key?('DOCUMENTATION_INSIDE')

  # Runs the Ruby program on such a machine; returns whether it succeeded.
  def run(*command)
    spaces = Process.euid.zero? ? SPACES : SPACES + ['--map-root-user']
    system({ 'DOCUMENTATION_INSIDE' => '1' }, *spaces, RbConfig.ruby, *command)
  end

  def prepare
    do_or_fail('mount', '-t', 'tmpfs', 'none', SCRATCH)
    WRITABLE.select { |directory| File.directory?(directory) }.each { |directory| forget_changes(directory) }
    FileUtils.rm_rf(LEFT_BY_PACKAGES)
    File.delete('/etc/hosts')
    File.write('/etc/hosts', "127.0.0.1 localhost #{HOSTS.join(' ')}\n127.0.1.1 #{NAME} #{NAME[/\A[^.]+/]}\n")
    do_or_fail('hostname', NAME)
    loopback
  end

  def forget_changes(directory)
    upper = File.join(SCRATCH, 'machine', directory)
    work = "#{upper}.work"
    FileUtils.mkdir_p([upper, work])
    File.chmod(File.stat(directory).mode & 0o7777, upper)
    do_or_fail('mount', '-t', 'overlay', 'none', '-o', "lowerdir=#{directory},upperdir=#{upper},workdir=#{work}", directory)
  end

  # In a new network namespace the loopback device is down: SIOCSIFFLAGS sets IFF_UP and IFF_RUNNING.
  def loopback
    UDPSocket.new.ioctl(0x8914, ['lo', 0x41].pack('a16Sx22'))
  end

  def do_or_fail(*command)
    system(*command) or abort("documentation: no machine of a page's own: #{command.join(' ')} failed")
  end
end
