# Runs the commands of a page: each in a separate shell, which continues in the directory of the previous
# one.
require 'fileutils'
require 'open3'
require 'timeout'
require_relative 'machine'

class Shell
  ROOT = File.expand_path('../../..', __dir__)
  FIXTURES = File.join(ROOT, 'tests/documentation/fixtures.sh')
  PATIENCE = 60 # seconds

  def initialize(program)
    @home = File.join(Machine::SCRATCH, 'home')
    FileUtils.mkdir_p(@home)
    @place = File.join(Machine::SCRATCH, 'place')
    File.write(File.join(@home, '.gitconfig'), "[user]\nname = test\nemail = test@example.com\n[init]\ndefaultBranch = main\n")
    @environment = { 'TESTS' => File.join(ROOT, 'tests'), 'HOME' => @home, 'BUNRAKU_LOG_FORMAT' => nil, 'LC_ALL' => 'C.UTF-8',
                     'PATH' => "#{File.dirname(program)}:#{@home}/bin:#{ENV['PATH']}:/usr/sbin:/sbin", 'OUTPUT' => File.join(Machine::SCRATCH, 'served') }
    FileUtils.cp_r(File.join(ROOT, 'examples'), @home)
    @repository = File.join(@home, 'control-repo')
    FileUtils.cp_r(File.join(ROOT, 'examples/control-repo'), @repository)
    self.directory = nil
    give_history
  end

  # Relative to the home directory; the default is the control repository.
  def directory=(name)
    File.write(@place, name ? File.expand_path(name, @home) : @repository)
  end

  # Returns the output and the exit code.
  def run(command)
    Open3.popen2e(@environment, *words(command), chdir: File.read(@place).chomp) do |input, output, thread|
      input.close
      text = Timeout.timeout(PATIENCE) { output.read }
      return [text, thread.value.exitstatus || "signal #{thread.value.termsig}"]
    rescue Timeout::Error
      Process.kill(:KILL, thread.pid)
      return ['', "none after #{PATIENCE} s"]
    end
  end

  # Returns the failures.
  def all_succeed(scripts)
    scripts.filter_map do |script|
      output, code = run(script)
      "#{script}: exit #{code}\n#{output}" unless code == 0
    end
  end

  # Runs the block while the command serves; the command is ready when it has printed `ready`.
  def serve(command, ready)
    said = @environment['OUTPUT']
    process = Process.spawn(@environment, *words("exec #{command}"), chdir: File.read(@place).chomp, %i[out err] => said)
    deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + PATIENCE
    until File.read(said).include?(ready)
      return ["#{command} has ended\n#{File.read(said)}"] if Process.wait(process, Process::WNOHANG)
      return ["#{command} is not ready\n#{File.read(said)}"] if Process.clock_gettime(Process::CLOCK_MONOTONIC) > deadline

      sleep(0.05)
    end
    failures = yield
    Process.kill(:TERM, process)
    status = Process.wait2(process).last
    status.success? ? failures : failures + ["#{command}: #{status}\n#{File.read(said)}"]
  end

  private

  def words(command)
    ['bash', '-c', ". #{FIXTURES}; trap 'pwd > #{@place}' EXIT\n#{command}"]
  end

  def give_history
    output, code = run('git init -q && git add -A && git commit -qm one && echo "# more" >> manifests/00-site.pp && git commit -qam two && ' \
                       'git update-ref refs/remotes/origin/main HEAD~1')
    code == 0 or abort("documentation: #{output}")
  end
end
