# Running programs for types and providers, and the user that they run as.

# frozen_string_literal: true

module Puppet
  module Util
    module Execution # rubocop:disable Style/Documentation
      # Variables that describe a user or locale; programs must not depend on them.
      USER_VARIABLES = %w[HOME USER LOGNAME].freeze
      LOCALE_VARIABLES = %w[LC_CTYPE LC_NUMERIC LC_TIME LC_COLLATE LC_MONETARY LC_MESSAGES LC_PAPER LC_NAME LC_ADDRESS
                            LC_TELEPHONE LC_MEASUREMENT LC_IDENTIFICATION LC_ALL LANG LANGUAGE].freeze
      NO_OPTIONS = Object.new.freeze

      class << self
        def execute(command, options = NO_OPTIONS)
          options = default_options(options)
          command = command.flatten if command.is_a?(Array)
          shown = shown_command(command)
          text = options[:sensitive] ? '[redacted]' : shown
          Puppet.debug("Executing#{as_whom(options)}: '#{text}'")
          output, exit_status = run(command, options)
          if options[:failonfail] && exit_status != 0
            raise Puppet::ExecutionFailure, "Execution of '#{text}' returned #{exit_status}: #{output.strip}"
          end

          ProcessOutput.new(output, exit_status)
        end

        # Runs a program and yields its output while it runs, or returns the output.
        def execpipe(command, failonfail = true)
          shown = shown_command(command)
          Puppet.debug("Executing: '#{shown}'")
          output = IO.popen({ 'LANG' => 'C', 'LC_ALL' => 'C' }, "#{shown} 2>&1") { |pipe| yield pipe }
          status = Process.last_status
          if failonfail && status.exitstatus != 0
            raise Puppet::ExecutionFailure,
                  "Execution of '#{shown}' returned #{status.exitstatus}: #{output.to_s.strip}"
          end
          output
        end

        def execfail(command, error)
          execute(command)
        rescue Puppet::ExecutionFailure => failure
          raise error, failure.message, failure.backtrace
        end

        def ruby_path
          RbConfig.ruby
        end

        private

        def default_options(options)
          given = options.equal?(NO_OPTIONS) || options.nil?
          options = {} if given
          { failonfail: given || options.empty?, uid: nil, gid: nil, combine: given || options.empty?, stdinfile: nil,
            squelch: false, override_locale: true, custom_environment: {}, sensitive: false, cwd: nil }.merge(options)
        end

        def shown_command(command)
          command.is_a?(Array) ? command.map(&:to_s).join(' ') : command.to_s
        end

        def as_whom(options)
          who = { uid: options[:uid], gid: options[:gid] }.reject { |_, one| one.nil? }
          cwd = options[:cwd] ? " with cwd '#{options[:cwd]}'" : ''
          return cwd if who.empty?

          " with uid=#{options[:uid]} gid=#{options[:gid]}#{cwd.sub(' with', ' and')}"
        end

        def environment(options)
          env = USER_VARIABLES.to_h { |name| [name, nil] }
          LOCALE_VARIABLES.each { |name| env[name] = nil } if options[:override_locale]
          env['LANG'] = env['LC_ALL'] = 'C' if options[:override_locale]
          env.update((options[:custom_environment] || {}).to_h { |name, value| [name.to_s, value&.to_s] })
        end

        def run(command, options)
          if options[:cwd] && !File.directory?(options[:cwd])
            raise ::ArgumentError, "Working directory #{options[:cwd]} does not exist!"
          end
          words = command.is_a?(Array) ? command.map { |one| one.nil? ? '' : one.to_s } : [command.to_s]
          # A single word is a line for the shell, also in an array.
          words[0] = [words[0], words[0]] if words.size > 1
          reader, writer = options[:squelch] ? [nil, nil] : IO.pipe
          process = start(words, options, writer)
          writer&.close
          collect(process, reader)
        ensure
          [reader, writer].compact.each { |one| one.close unless one.closed? }
        end

        def start(words, options, writer)
          input = options[:stdinfile] ? File.open(options[:stdinfile].to_s) : File::NULL
          output = writer || File::NULL
          errors = options[:combine] && writer ? writer : File::NULL
          settings = { in: input, out: output, err: errors, pgroup: true, close_others: true }
          settings[:chdir] = options[:cwd] if options[:cwd]
          return fork_as(words, options, settings) if options[:uid] || options[:gid]

          Process.spawn(environment(options), *words, **settings)
        rescue SystemCallError => error
          report_failure(error, errors)
          nil
        ensure
          input.close if input.is_a?(File)
        end

        # User and group are changed between fork and exec. Unknown ones are a failure of the program.
        def fork_as(words, options, settings)
          Process.fork do
            uid = options[:uid] && SUIDManager.convert_xid(:uid, options[:uid])
            gid = options[:gid] && SUIDManager.convert_xid(:gid, options[:gid])
            SUIDManager.become(uid, gid)
            Process.exec(environment(options), *words, **settings)
          rescue StandardError => error
            report_failure(error, settings[:err])
            exit!(1)
          end
        end

        # Writes what the reference's child process logs when it cannot run the program. Standard error is read only
        # when it is combined with the output.
        def report_failure(error, errors)
          errors.write("Error: Could not execute posix command: #{error.message}\n") if errors.is_a?(IO)
        end

        # Processes that the program leaves behind may hold its output open; they are not waited
        # for.
        def collect(process, reader)
          output = +''.b
          return [output, 1].tap { output << reader.read.to_s if reader } if process.nil? && reader
          return [output, 1] if process.nil?

          status = nil
          wait = 0.001
          while reader && status.nil?
            if IO.select([reader], nil, nil, wait)
              piece = reader.read_nonblock(65_536, exception: false)
              break if piece.nil?

              output << piece if piece.is_a?(String)
            else
              _, status = Process.wait2(process, Process::WNOHANG)
              wait = [wait * 2, 0.1].min
            end
          end
          _, status = Process.wait2(process) if status.nil?
          drain(reader, output)
          [output.force_encoding(Encoding.default_external), status.exitstatus || 128 + status.termsig.to_i]
        end

        def drain(reader, output)
          while reader && (piece = reader.read_nonblock(65_536, exception: false)).is_a?(String)
            output << piece
          end
        rescue EOFError
          nil
        end
      end
    end

    # Changes of user and group.
    module SUIDManager
      module_function

      def convert_xid(kind, id)
        return id if id.is_a?(Integer)
        return id.to_i if id.to_s.match?(/\A\d+\z/)

        require 'etc'
        kind == :uid ? Etc.getpwnam(id.to_s).uid : Etc.getgrnam(id.to_s).gid
      rescue ::ArgumentError
        raise Puppet::Error, "Could not find #{kind == :uid ? 'user' : 'group'} #{id}"
      end

      # Changes the identity for good.
      def become(uid, gid)
        require 'etc'
        entry = uid && Etc.getpwuid(uid)
        gid ||= entry&.gid
        if gid && gid != Process.egid
          entry ? Process.initgroups(entry.name, gid) : Process.groups = [gid]
          Process::GID.change_privilege(gid)
        end
        Process::UID.change_privilege(uid) if uid && uid != Process.euid
      end

      def asuser(user = nil, group = nil)
        return yield unless Process.uid.zero? && (user || group)

        before = [Process.euid, Process.egid]
        Process::Sys.setegid(convert_xid(:gid, group)) if group
        Process::Sys.seteuid(convert_xid(:uid, user)) if user
        yield
      ensure
        if before
          Process::Sys.seteuid(before[0])
          Process::Sys.setegid(before[1])
        end
      end

      %i[uid gid euid egid].each { |name| define_method(name) { Process.public_send(name) } }
      module_function :uid, :gid, :euid, :egid

      def root?
        Process.uid.zero?
      end
      module_function :root?
    end

    # The number of a user or group, given by name or number; nil when there is none.
    def uid(name)
      SUIDManager.convert_xid(:uid, name)
    rescue Puppet::Error
      nil
    end
    module_function :uid

    def gid(name)
      SUIDManager.convert_xid(:gid, name)
    rescue Puppet::Error
      nil
    end
    module_function :gid

    def get_env(name, *)
      ENV[name]
    end
    module_function :get_env

    def set_env(name, value = nil, *)
      ENV[name] = value
    end
    module_function :set_env

    def execpipe(*arguments, &block)
      Execution.execpipe(*arguments, &block)
    end
    module_function :execpipe

    def execfail(*arguments)
      Execution.execfail(*arguments)
    end
    module_function :execfail
  end
end
