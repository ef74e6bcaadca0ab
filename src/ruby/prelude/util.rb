# Helpers of Puppet::Util.

# frozen_string_literal: true

module Puppet
  # Small helpers.
  module Util
    AbsolutePathWindows = %r{\A(?:(?:[A-Z]:[\\/])|(?:[\\/]{2}[^\\/]+[\\/][^\\/]+)|(?:[\\/]{2}\?[\\/][^\\/]+))}io.freeze
    AbsolutePathPosix = %r{\A/}.freeze

    module_function

    def absolute_path?(path, platform = nil)
      path = path.to_path if path.respond_to?(:to_path)
      (platform == :windows ? AbsolutePathWindows : AbsolutePathPosix).match?(path.to_s)
    end

    def which(name)
      return name if absolute_path?(name) && File.executable?(name)

      ENV.fetch('PATH', '').split(':').map { |directory| "#{directory}/#{name}" }
         .find { |path| File.file?(path) && File.executable?(path) }
    end

    def withumask(mask)
      before = File.umask(mask)
      yield
    ensure
      File.umask(before)
    end

    def thinmark
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      yield
      Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    end

    def replace_file(path, mode)
      File.open("#{path}.#{Process.pid}", 'w') do |file|
        yield file
        file.chmod(mode) if mode.is_a?(Integer)
        File.rename(file.path, path)
      end
    end

    def path_to_uri(path)
      require 'uri'
      URI::Generic.build(scheme: 'file', path: uri_encode(path))
    end

    def uri_to_path(uri)
      uri_unescape(uri.path)
    end

    def uri_unescape(text)
      text.b.gsub(/%\h\h/) { |escape| escape[1, 2].hex.chr }.force_encoding('UTF-8')
    end

    def uri_encode(path)
      path.b.gsub(%r{[^A-Za-z0-9\-._~/:@!$&'()*+,;=?#]}) { |byte| format('%%%02X', byte.ord) }.force_encoding('UTF-8')
    end

    def uri_query_encode(text)
      text.b.gsub(%r{[^A-Za-z0-9\-._~/:@!$'()*,?]}) { |byte| format('%%%02X', byte.ord) }.force_encoding('UTF-8')
    end

    def symbolizehash(hash)
      hash.transform_keys { |key| key.respond_to?(:to_sym) ? key.to_sym : key }
    end

    def symbolize(value)
      value.is_a?(String) ? value.intern : value
    end

    def execute(command, options = nil)
      Execution.execute(command, options)
    end

    def deterministic_rand(seed, max)
      deterministic_rand_int(seed, max).to_s
    end

    def deterministic_rand_int(seed, max)
      Random.new(seed).rand(max)
    end

    def capitalize_segments(name)
      name.split('::').map(&:capitalize).join('::')
    end

    def withenv(changes)
      saved = ENV.to_h
      ENV.update(changes.transform_keys(&:to_s))
      yield
    ensure
      ENV.replace(saved) if saved
    end

    def benchmark(*)
      yield
    end

    # Compares versions as the function versioncmp does.
    module Package
      # An argument that is not text fails as a call of a missing method does.
      def self.versioncmp(one, other, ignore_trailing_zeroes = false)
        [one, other].each { |version| version.scan(/\A/) }
        Bunraku.ask('function.call', 'versioncmp', one, other, ignore_trailing_zeroes)
      end

      def versioncmp(one, other, ignore_trailing_zeroes = false)
        Package.versioncmp(one, other, ignore_trailing_zeroes)
      end
    end

    # Runs programs.
    module Execution
      # What a program printed.
      class ProcessOutput < String
        attr_reader :exitstatus

        def initialize(text, status)
          super(text)
          @exitstatus = status
        end
      end

      # Without options a failure is an error, and both streams are captured.
      def self.execute(command, options = nil)
        shown = command.is_a?(Array) ? command.join(' ') : command.to_s
        options ||= { failonfail: true, combine: true }
        output, exit_status = run(Array(command).map(&:to_s), options)
        if options[:failonfail] && exit_status != 0
          raise ExecutionFailure, "Execution of '#{shown}' returned #{exit_status}: #{output.strip}"
        end

        ProcessOutput.new(output, exit_status)
      end

      def self.run(command, options)
        require 'open3'
        settings = { err: options[:combine] ? %i[child out] : File::NULL }
        settings[:chdir] = options[:cwd] if options[:cwd]
        environment = { 'LANG' => 'C', 'LC_ALL' => 'C' }
        environment = {} if options[:override_locale] == false
        environment.update((options[:custom_environment] || {}).to_h { |name, value| [name.to_s, value&.to_s] })
        output, status = Open3.capture2(environment, *command, **settings)
        [output, status.exitstatus || 1]
      rescue SystemCallError => error
        [options[:combine] ? "Error: Could not execute posix command: #{error.message}\n" : '', 1]
      end
      private_class_method :run

      def self.execpipe(command, failonfail = true)
        output = IO.popen(command, err: %i[child out]) { |pipe| yield pipe }
        raise ExecutionFailure, output.to_s if failonfail && !Process.last_status.success?

        output
      end
    end

    # JSON and YAML.
    module Json
      # The error for malformed JSON.
      class ParseError < StandardError
        attr_reader :cause, :data

        def initialize(message, cause, data)
          super(message)
          @cause = cause
          @data = data
        end
      end

      def self.load(text, _options = {})
        require 'json'
        JSON.parse(text)
      rescue JSON::ParserError => error
        raise ParseError.new(error.message, error, text)
      end

      def self.load_file(path, _options = {})
        load(File.read(path, encoding: 'UTF-8'))
      end

      def self.load_file_if_valid(path, options = {})
        load_file(path, options)
      rescue StandardError
        nil
      end

      def self.dump(value, options = {})
        require 'json'
        options.empty? ? JSON.generate(value) : JSON.pretty_generate(value)
      end
    end

    module Yaml # rubocop:disable Style/Documentation
      # The error for malformed YAML.
      class YamlLoadError < Puppet::Error; end

      def self.safe_load(text, classes = [], filename = nil)
        require 'yaml'
        # Callers of the reference get false for a document without a value.
        YAML.safe_load(text, permitted_classes: classes, aliases: true, filename: filename) || false
      rescue Psych::Exception => error
        raise YamlLoadError, error.message.sub(/\A(?!\()/, "(#{filename || '<unknown>'}): ")
      end

      def self.safe_load_file(path, classes = [])
        safe_load(File.read(path, encoding: 'UTF-8'), classes, path)
      end
      singleton_class.alias_method :load_file, :safe_load_file

      def self.dump(value, *)
        require 'yaml'
        value.to_yaml
      end
    end

    # Modes of files: octal digits, or changes by letters such as `u=rwx,g+r`.
    module SymbolicFileMode
      DIGITS = /^0?[0-7]{1,4}$/.freeze
      CHANGES = /^([ugoa]*[-=+][-=+rstwxXugo]*)(,[ugoa]*[-=+][-=+rstwxXugo]*)*$/.freeze
      BITS = { 'r' => 4, 'w' => 2, 'x' => 1 }.freeze
      # The additional bits that `s` and `t` set in each class.
      SPECIAL = { 's' => { 'u' => 4, 'g' => 2, 'o' => 1 }, 't' => { 'u' => 1, 'g' => 1, 'o' => 1 } }.freeze
      SHIFTS = { 's' => 9, 'u' => 6, 'g' => 3, 'o' => 0 }.freeze

      def valid_symbolic_mode?(value)
        text = normalize_symbolic_mode(value).to_s
        DIGITS.match?(text) || CHANGES.match?(text)
      end

      def display_mode(value)
        DIGITS.match?(value.to_s) ? value.to_s.rjust(4, '0') : value
      end

      def normalize_symbolic_mode(value)
        return value.to_s(8) if value.is_a?(Numeric)

        DIGITS.match?(value.to_s) ? value.to_i(8).to_s(8) : value
      end

      def symbolic_mode_to_int(modification, to_mode = 0, is_a_directory = false)
        raise Puppet::Error, 'An empty mode string is illegal' if modification.nil? || modification == ''
        return modification.to_i(8) if modification.match?(/^[0-7]+$/)
        raise Puppet::Error, 'Numeric modes must be in octal, not decimal!' if modification.match?(/^\d+$/)
        raise Puppet::Error, "non-numeric current mode (#{to_mode.inspect})" unless to_mode.is_a?(Numeric)

        bits = SHIFTS.transform_values { |shift| (to_mode >> shift) & 7 }
        runs = is_a_directory || (to_mode & 0o111).positive?
        modification.split(/\s*,\s*/).each do |part|
          SymbolicFileMode.change(bits, part, runs)
        rescue Puppet::Error => error
          place = part == modification ? '' : " at #{part.inspect}"
          raise Puppet::Error, "#{error.message}#{place} in symbolic mode #{modification.inspect}"
        end
        bits.sum { |name, value| value << SHIFTS[name] }
      end

      # Applies one change, such as `ug+rw`. `runs`: X means x.
      def self.change(bits, part, runs)
        match = /^([ugoa]*)([-+=].*)$/.match(part) or raise Puppet::Error, 'Missing action'
        whom = match[1].empty? ? 'a' : match[1]
        before = bits.dup
        whom.gsub('a', 'ugo').chars.uniq.each do |one|
          bits[one] = apply(match[2], one, before, bits, runs)
        end
      end

      # The bits of one class after the change.
      def self.apply(text, whom, before, bits, runs)
        value = before[whom]
        sign = nil
        text.each_char do |letter|
          case letter
          when '-', '+', '='
            sign = letter
            value = 0 if sign == '='
          when 's', 't' then bits['s'] = with(bits['s'], SPECIAL[letter][whom], sign)
          when 'u', 'g', 'o' then value = with(value, before[letter], sign)
          when 'r', 'w', 'x' then value = with(value, BITS[letter], sign)
          when 'X'
            raise Puppet::Error, "X only works with the '+' operator" unless sign == '+'

            value = with(value, BITS['x'], sign) if runs
          else raise Puppet::Error, 'Unknown operation'
          end
        end
        value
      end

      def self.with(value, bits, sign)
        sign == '-' ? value & ~bits : value | bits
      end
    end

    # Digests of texts and files.
    module Checksums
      module_function

      %w[md5 sha1 sha256 sha384 sha512].each do |name|
        define_method(name) { |text| Checksums.digest(name).hexdigest(text) }
        define_method(:"#{name}_file") { |path| Checksums.digest(name).file(path).hexdigest }
        module_function name, :"#{name}_file"
      end

      def self.digest(name)
        require 'digest'
        Digest.const_get(name.upcase)
      end
    end

    module Platform # rubocop:disable Style/Documentation
      def self.windows?
        false
      end

      def self.default_paths
        []
      end

      def self.jruby?
        false
      end

      def self.fips_enabled?
        path = '/proc/sys/crypto/fips_enabled'
        File.exist?(path) && File.read(path, 1) == '1'
      end
    end

    # A log record, which is written at once.
    class Log
      attr_reader :level, :message, :source

      def self.levels
        LEVELS.dup
      end

      def self.level
        %i[debug info].find { |level| Bunraku.logs?(level) } || :notice
      end

      def self.create(options)
        new(options)
      end

      def initialize(options)
        @level = options[:level]
        @message = options[:message].to_s
        @source = (options[:source] || 'Puppet').to_s
        Bunraku.ask('log', @level.to_s, @message, @source)
      end
      alias to_s message
    end

    module Profiler # rubocop:disable Style/Documentation
      def self.profile(*)
        yield
      end
    end

    module Logging # rubocop:disable Style/Documentation
      LEVELS.each { |level| define_method(level) { |*texts| Puppet.public_send(level, *texts) } }

      def warn_once(*arguments)
        Puppet.warn_once(*arguments)
      end

      def deprecation_warning(*arguments)
        Puppet.deprecation_warning(*arguments)
      end
    end

    module MethodHelper # rubocop:disable Style/Documentation
      def symbolize_options(options)
        options.transform_keys(&:to_sym)
      end

      def set_options(options)
        options.each { |name, value| public_send(:"#{name}=", value) }
      end
    end

    # Removes the indentation of texts.
    module Docs
      def self.scrub(text)
        margin = text.lines.drop(1).grep(/\S/).map { |line| line[/\A */].size }.min || 0
        text.gsub(/^ {0,#{margin}}/, '').strip
      end
    end

    # Objects with tags. `first_tags` are the initial ones.
    module Tagging
      ValidTagRegex = /\A[[:alnum:]_][[:alnum:]_:.-]*\Z/u.freeze

      def tags
        own_tags.dup
      end

      def tags=(tags)
        @tags = Util::TagSet.new
        tag(*(tags.is_a?(String) ? tags.strip.split(/\s*,\s*/) : tags))
      end

      def tag(*names)
        names.flatten.compact.each do |name|
          raise Puppet::ParseError, "Invalid tag '#{name.to_s.downcase}'" unless ValidTagRegex.match?(name.to_s)

          own_tags.merge(Tagging.parts(name.to_s))
        end
      end

      def tag_if_valid(name)
        own_tags.merge(Tagging.parts(name)) if name.is_a?(String) && ValidTagRegex.match?(name)
      end

      def tagged?(*names)
        names.flatten.any? { |name| own_tags.include?(name.to_s.downcase) }
      end

      # A name and, if it is qualified, its segments.
      def self.parts(name)
        name = name.downcase
        name.include?('::') ? [name, *name.split('::')] : [name]
      end

      private

      def own_tags
        @tags ||= Util::TagSet.new(first_tags)
      end

      def first_tags
        []
      end
    end

    module Errors # rubocop:disable Style/Documentation
      def fail(*texts)
        type = texts.first.is_a?(Class) ? texts.shift : Puppet::Error
        # The last of several is the original error.
        texts.pop if texts.size > 1
        raise type, texts.join(' ')
      end
    end

    # Empty modules that code may include or name.
    module RubyGems; end
    module SUIDManager; end # rubocop:disable Style/Documentation

    # Records that are logged once for each text and class.
    module Warnings
      { notice_once: :notice, debug_once: :debug, warnonce: :warning }.each do |name, level|
        define_method(name) do |text|
          return if level == :debug && !Bunraku.logs?(:debug)

          Warnings.maybe_log(text, self.class) { Puppet.public_send(level, text) }
        end
      end

      def clear_warnings
        Warnings.logged.clear
        nil
      end

      module_function(*instance_methods)

      def self.logged
        @logged ||= {}
      end

      def self.maybe_log(text, owner)
        yield unless logged.key?([owner, text])
        logged[[owner, text]] = true
        nil
      end
    end
  end
end
