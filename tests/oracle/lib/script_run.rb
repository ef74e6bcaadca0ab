require 'socket'
require 'tmpdir'

module Oracle
  # Runs one script, and yields each of its command lines with the current directory and environment.
  class ScriptRun
    # Seconds without a command.
    LONGEST = 120

    # Replaces the program in scripts: submits its command line for comparison, and then executes
    # the program.
    STAND_IN = <<~RUBY
      #!/usr/bin/ruby --disable=gems
      require 'socket'
      UNIXSocket.open(ENV['ORACLE_SOCKET']) do |socket|
        socket.write(Marshal.dump([ARGV, Dir.pwd, ENV.to_h]))
        socket.close_write
        socket.read
      end
      exec(ENV['ORACLE_PROGRAM'], *ARGV)
    RUBY

    def initialize(script, program)
      @script = script
      @program = program
    end

    # Returns whether the script ran to its end.
    def each_command(&compare)
      Dir.mktmpdir('oracle-commands') do |home|
        File.chmod(0o755, home)
        server = UNIXServer.new("#{home}/socket")
        File.chmod(0o777, "#{home}/socket")
        script = start(home)
        finished = serve(server, script, &compare)
        finish(script)
        finished
      end
    end

    private

    def start(home)
      Dir.mkdir("#{home}/bin")
      Dir.mkdir("#{home}/scratch")
      File.write("#{home}/bin/bunraku", STAND_IN)
      File.chmod(0o755, "#{home}/bin/bunraku")
      environment = { 'PATH' => "#{home}/bin:#{ENV['PATH']}", 'CASE' => File.dirname(@script), 'BUNRAKU_LOG_FORMAT' => 'one-line', 'ORACLE_SOCKET' => "#{home}/socket", 'ORACLE_PROGRAM' => @program }
      Process.detach(spawn(environment, '/bin/sh', '-eu', @script, chdir: "#{home}/scratch", in: File::NULL, out: File::NULL, err: File::NULL, pgroup: true))
    end

    def serve(server, script, &compare)
      last = now
      while script.alive?
        return false if now - last > LONGEST
        next unless server.wait_readable(0.05)
        answer(server.accept, &compare)
        last = now
      end
      true
    end

    def answer(socket)
      yield(*Marshal.load(socket.read))
    ensure
      socket.close
    end

    # Ends all processes of the script before its directory is removed.
    def finish(script)
      Process.kill(:KILL, -script.pid)
      script.join
    rescue Errno::ESRCH
      script.join
    end

    def now
      Process.clock_gettime(Process::CLOCK_MONOTONIC)
    end
  end
end
