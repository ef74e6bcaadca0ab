# Facter for files of custom facts: facts with resolutions, chosen by their confines and weights, in
# addition to the core and external facts that the program itself has found.

# frozen_string_literal: true

module Facter
  # The common part of both kinds of resolutions.
  class AnyResolution
    attr_reader :name, :fact
    attr_accessor :timeout, :fact_type

    def initialize(name, fact)
      @name = name
      @fact = fact
      @confines = []
      @timeout = 0
      @fact_type = :custom
    end

    def options(given)
      unknown = given.keys - self.class::OPTIONS
      raise ArgumentError, "Invalid #{self.class::NOUN} options #{unknown.inspect}" if !unknown.empty?

      given.each { |key, value| instance_variable_set("@#{key}", value) }
    end

    def has_weight(weight) # rubocop:disable Naming/PredicateName
      @weight = weight
      self
    end

    def weight
      @weight || @confines.size
    end

    def confine(facts = nil, &block)
      if facts.is_a?(Hash)
        facts.each { |fact, values| @confines << Confine.new(fact, [*values]) }
      elsif block
        @confines << Confine.new(facts, nil, &block)
      end
    end

    def suitable?
      @confines.all?(&:true?)
    end

    def limit
      @timeout || 0
    end

    def on_flush(&block)
      @on_flush = block
    end

    def flush
      @on_flush&.call
    end

    # Returns nil when there is no value; raises ResolveCustomFactError when its code failed.
    def value
      Values.normalized(Timeout.timeout(limit) { resolve })
    rescue Timeout::Error
      Facter.log_exception(nil, "Timed out after #{limit} seconds while resolving #{title}", @place)
      nil
    rescue Values::Invalid => error
      Facter.log_exception(error, "Fact resolution #{title} resolved to an invalid value: #{error.message}", @place)
      nil
    rescue StandardError, ScriptError => error
      Facter.log_exception(error, "Error while resolving custom fact #{title}: #{error.message}", @place)
      raise ResolveCustomFactError
    end

    private

    def title
      "fact='#{@fact.name}', resolution='#{@name || '<anonymous>'}'"
    end
  end

  class ResolveCustomFactError < StandardError; end

  # A condition on a fact's value, or on the result of a block.
  class Confine
    def initialize(fact, values, &block)
      @fact = fact
      @values = values
      @block = block
    end

    def true? # rubocop:disable Naming/PredicateMethod
      return held? if @block && !@fact

      value = Facter[@fact]&.value
      return false if value.nil?

      value = Confine.plain(value)
      @block ? held?(value) : @values.any? { |one| Confine.plain(one) === value }
    end

    def self.plain(value)
      value = value.to_s if value.is_a?(Symbol)
      value.is_a?(String) ? value.downcase : value
    end

    private

    def held?(*arguments)
      !!@block.call(*arguments)
    rescue StandardError => error
      Facter.debug("Confine raised #{error.class} #{error}")
      false
    end
  end

  # Values that facts may have.
  module Values
    class Invalid < StandardError; end
    class Unmergeable < StandardError; end

    def self.normalized(value)
      case value
      when Integer, Float, true, false, nil then value
      when Symbol then value.to_s
      when String then text(value)
      when Array then value.map { |item| normalized(item) }
      when Hash then value.to_h { |key, item| [normalized(key), normalized(item)] }
      else
        return value.iso8601 if value.respond_to?(:iso8601)

        raise Invalid, "Expected #{value} to be one of [Integer, Float, TrueClass, FalseClass, NilClass, Symbol, " \
                       "String, Array, Hash, Date, Time], but was #{value.class}"
      end
    end

    def self.text(value)
      converted = value.encode(Encoding::UTF_8)
      return converted if converted.valid_encoding?

      raise Invalid, "String #{value.inspect} doesn't match the reported encoding #{value.encoding}"
    rescue EncodingError
      raise Invalid, "String encoding #{value.encoding} is not UTF-8 and could not be converted to UTF-8"
    end

    def self.frozen(value)
      case value
      when Array then value.map { |item| frozen(item) }.freeze
      when Hash then value.to_h { |key, item| [frozen(key), frozen(item)] }.freeze
      else value.frozen? ? value : value.dup.freeze
      end
    end

    # The value as JSON has it: keys are text. Integers of more than 64 bits become text.
    def self.plain(value)
      case value
      when Integer then value.bit_length < 64 ? value : value.to_s
      when Array then value.map { |item| plain(item) }
      when Hash then value.to_h { |key, item| [key.to_s, plain(item)] }
      else value
      end
    end

    def self.merged(left, right, path = [])
      return left if right.nil?
      return right if left.nil?
      return left + right if left.is_a?(Array) && right.is_a?(Array)
      if left.is_a?(Hash) && right.is_a?(Hash)
        return left.merge(right) { |key, one, other| merged(one, other, path + [key]) }
      end

      place = path.empty? ? '' : " at root#{path.map { |part| "[#{part.inspect}]" }.join}"
      raise Unmergeable, "Cannot merge #{left.inspect}:#{left.class} and #{right.inspect}:#{right.class}#{place}"
    end
  end

  # Classes of Facter under the longer names that modules use.
  module Core
    # A resolution that is put together from chunks.
    class Aggregate < AnyResolution
      OPTIONS = %i[name timeout weight fact_type].freeze
      NOUN = 'aggregate'

      def initialize(name, fact)
        super
        @chunks = {}
        @needs = {}
      end

      def evaluate(&block)
        @place = block.source_location
        instance_eval(&block)
      end

      def chunk(name, options = {}, &block)
        raise ArgumentError, "#{self.class.name}#chunk requires a block" if !block
        raise ArgumentError, "#{self.class.name}#expected chunk name to be a Symbol" if !name.is_a?(Symbol)

        options = options.dup
        @needs[name] = Array(options.delete(:require))
        if !options.empty?
          raise ArgumentError, "Unexpected options passed to #{self.class.name}#chunk: #{options.keys.inspect}"
        end

        @chunks[name] = block
        self
      end

      def aggregate(&block)
        raise ArgumentError, "#{self.class.name}#aggregate requires a block" if !block

        @aggregate = block
        self
      end

      def resolution_type
        :aggregate
      end

      private

      def resolve
        results = {}
        @chunks.each_key { |name| run(name, results, []) }
        return @aggregate.call(results) if @aggregate

        results.values.inject { |one, other| Values.merged(one, other) }
      rescue Values::Unmergeable => error
        raise ArgumentError, "Could not deep merge all chunks (Original error: #{error.message}), ensure that chunks " \
                             'return either an Array or Hash or override the aggregate block'
      end

      def run(name, results, above)
        return if results.key?(name)
        raise "Could not order chunks; found the following dependency cycles: #{[above].inspect}" if above.include?(name)

        @needs.fetch(name).each { |other| run(other, results, above + [name]) }
        results[name] = Values.frozen(@chunks[name].call(*@needs[name].map { |other| results[other] }))
      end
    end

    # Running programs.
    module Execution
      class ExecutionFailure < StandardError; end
      SYSTEM_PATHS = ['/sbin', '/usr/sbin'].freeze
      OPTIONS = %i[on_fail expand logger timeout].freeze

      module_function

      def search_paths
        ENV.fetch('PATH', '').split(File::PATH_SEPARATOR) + SYSTEM_PATHS
      end

      def absolute_path?(path, _platform = nil)
        path.start_with?('/')
      end

      def which(program)
        candidates = absolute_path?(program) ? [program] : search_paths.map { |path| File.join(path, program) }
        candidates.find { |path| File.file?(path) && File.executable?(path) }
      end

      # The command with the path of its program; nil when there is no such program.
      def expand_command(command)
        quoted = command.match(/\A(["'])(.+?)\1(?:\s+(.*))?/m)
        program, rest = quoted ? [quoted[2], quoted[3]] : command.split(' ', 2)
        path = program && which(program)
        return nil if !path

        path = "'#{path}'" if path.match?(/\s/)
        rest ? "#{path} #{rest}" : path
      end

      def with_env(values)
        before = values.to_h { |name, _| [name, ENV.fetch(name, nil)] }
        values.each { |name, value| ENV[name] = value }
        yield
      ensure
        before&.each { |name, value| ENV[name] = value }
      end

      def exec(command)
        execute(command, on_fail: nil)
      end

      def execute(command, options = {})
        unknown = options.keys - OPTIONS - %i[time_limit limit]
        if !unknown.empty?
          Facter.warn("Unexpected key passed to Facter::Core::Execution.execute option: #{unknown.join(',')}" \
                      " - valid keys: #{OPTIONS.join(',')}")
        end
        on_fail = options.fetch(:on_fail, :raise)
        seconds = (options[:timeout] || options[:time_limit] || options[:limit]).to_i
        found = options.fetch(:expand, true) || !builtin?(command) ? expand_command(command) : command
        if found.nil?
          raise ExecutionFailure, "Could not execute '#{command}': command not found" if on_fail == :raise

          return on_fail
        end
        result = execute_command(found, on_fail, options[:logger], seconds.positive? ? seconds : nil)
        result.is_a?(Array) ? result[0] : result
      end

      def builtin?(command)
        IO.popen(['/bin/sh', '-c', "type #{command}"], err: File::NULL, &:read).include?('builtin')
      end

      # Returns [output, errors], or `on_fail` when the command fails.
      def execute_command(command, on_fail = nil, _logger = nil, timeout = nil)
        Facter.debug("Executing command: #{command}")
        output, errors = run(command, timeout || 300, on_fail)
        if !errors.empty?
          Facter.debug("Command #{command} completed with the following stderr message: #{errors.strip}")
        end
        [output.strip, errors]
      rescue StandardError => error
        return on_fail if on_fail != :raise

        raise ExecutionFailure, "Failed while executing '#{command}': #{error.message}"
      end

      def run(command, timeout, on_fail)
        streams = [IO.pipe, IO.pipe]
        process = Process.spawn({ 'LC_ALL' => 'C', 'LANG' => 'C' }, command.to_s,
                                in: File::NULL, out: streams[0][1], err: streams[1][1], pgroup: true)
        streams.each { |_, to| to.close }
        readers = streams.map { |from, _| Thread.new { from.read } }
        deadline = Process.clock_gettime(Process::CLOCK_MONOTONIC) + timeout
        if readers.all? { |reader| reader.join([deadline - Process.clock_gettime(Process::CLOCK_MONOTONIC), 0].max) }
          Process.wait(process)
          return readers.map { |reader| reader.value.force_encoding(Encoding::UTF_8) }
        end
        give_up(process, readers, timeout, on_fail)
      ensure
        streams&.flatten&.each { |stream| stream.close if !stream.closed? }
      end

      def give_up(process, readers, timeout, on_fail)
        readers.each(&:kill)
        Process.kill('KILL', -process)
        Process.wait(process)
        message = "Timeout encounter after #{timeout}s, killing process with pid: #{process}"
        raise message if on_fail == :raise

        Facter.debug(message)
        ['', '']
      end
    end
  end

  module Util # rubocop:disable Style/Documentation
    remove_const(:Resolution) if const_defined?(:Resolution, false)

    # A resolution by one block or command.
    class Resolution < AnyResolution
      OPTIONS = %i[name value timeout weight fact_type file is_env].freeze
      NOUN = 'resolution'
      attr_writer :value

      class << self
        def which(program)
          Core::Execution.which(program)
        end

        def exec(command)
          Core::Execution.exec(command)
        end

        def with_env(values, &block)
          Core::Execution.with_env(values, &block)
        end
      end

      def evaluate(&block)
        if @evaluated
          Facter.warn("Already evaluated #{@name} at #{@evaluated}, reevaluating anyways")
        end
        @place = block.source_location
        instance_eval(&block)
        @evaluated = @place.join(':')
      end

      def setcode(command = nil, &block)
        raise ArgumentError, 'You must pass either code or a block' if !command && !block

        @code = block || proc do
          output = Core::Execution.execute(command, on_fail: nil)
          output.nil? || output.empty? ? nil : output
        end
        self
      end

      def resolution_type
        :simple
      end

      private

      def resolve
        @value.nil? ? @code&.call : @value
      end
    end

    # A fact and its resolutions.
    class Fact
      attr_reader :name, :options, :used_resolution_weight
      attr_accessor :ldapname

      def initialize(name, options = {})
        @name = name.to_s.downcase.to_sym
        @options = options.dup
        @resolutions = []
        @used_resolution_weight = 0
      end

      def add(options = {}, &block)
        define_resolution(nil, options, &block)
      end

      def define_resolution(name, options = {}, &block)
        options = options.dup
        type = options.delete(:type) || :simple
        options.delete(:ldapname)
        resolution = resolution_of(name, type)
        resolution.options(options) if !options.empty?
        resolution.evaluate(&block) if block
        resolution
      rescue StandardError => error
        Facter.log_exception(error, "Unable to add resolve #{name.inspect} for fact #{@name}: #{error.message}")
        nil
      end

      def resolution(name)
        name && @resolutions.find { |resolution| resolution.name == name }
      end

      def flush
        @resolutions.each(&:flush)
        @value = nil
      end

      def custom?
        @resolutions.any? { |resolution| resolution.fact_type == :custom }
      end

      def value
        return @value if !@value.nil? || @resolutions.empty?
        raise "Caught recursion on #{@name}" if @searching

        @searching = true
        begin
          found = Facter.timed(@name.to_s) { first_value }
          core = Facter.core_value(@name.to_s) if found.nil? || @used_resolution_weight <= 0
          @value = core.nil? ? found : core
        ensure
          @searching = false
        end
      end

      private

      def first_value
        order = @resolutions.select(&:suitable?).each_with_index.sort_by do |resolution, place|
          [-resolution.weight, resolution.fact_type == :external ? 0 : 1, place]
        end
        order.each do |resolution, _|
          value = resolution.value
          @used_resolution_weight = resolution.weight
          return value if !value.nil?
        end
        nil
      rescue ResolveCustomFactError
        nil
      end

      def resolution_of(name, type)
        known = resolution(name)
        if known
          return known if known.resolution_type == type

          raise ArgumentError, "Cannot return resolution #{name} with type #{type}; " \
                               "already defined as #{known.resolution_type}"
        end
        kinds = { simple: Resolution, aggregate: Core::Aggregate }
        kind = kinds.fetch(type) do
          raise ArgumentError, "Expected resolution type to be one of (:simple, :aggregate) but was #{type}"
        end
        @resolutions << kind.new(name, self)
        @resolutions.last
      end
    end
  end

  # Core facts have this class.
  CoreFact = Struct.new(:name, :value)

  EXTERNAL_WEIGHT = 10_000

  class << self
    # Replaces the few facts that module code may read while it is loaded by the facts of this host.
    def begin_collection(core, external, directories)
      @core = core
      @custom = {}
      @files = {}
      @seconds = {}
      @directories = directories
      external.each do |name, value|
        add(name, fact_type: :external, value: value) { has_weight(EXTERNAL_WEIGHT) }
      end
    end

    def add(name, options = {}, &block)
      fact = (@custom[name.to_s.downcase] ||= Util::Fact.new(name, options))
      fact.add(options, &block)
      fact
    end

    def define_fact(name, options = {}, &block)
      fact = (@custom[name.to_s.downcase] ||= Util::Fact.new(name, options))
      fact.instance_eval(&block) if block
      fact
    rescue StandardError => error
      log_exception(error, "Unable to add fact #{name}: #{error}")
    end

    def core_value(name)
      name.to_s.split('.').reduce(@core) do |found, part|
        case found
        when Hash then found[part]
        when Array then part.match?(/\A\d+\z/) ? found[part.to_i] : nil
        end
      end
    end

    def fact(name)
      key = name.to_s.downcase
      load_files_named(key) if !@custom.key?(key)
      return @custom[key] if @custom.key?(key)

      value = core_value(key)
      load_all if value.nil?
      return @custom[key] if @custom.key?(key)

      root, rest = key.split('.', 2)
      value = part_of(@custom[root].value, rest) if value.nil? && rest && @custom.key?(root)
      value.nil? ? nil : CoreFact.new(name.to_s, value)
    end
    alias [] fact

    def value(name)
      fact(name)&.value
    end

    def to_hash
      load_all
      @core.merge(values)
    end
    alias to_h to_hash

    def each(&block)
      to_hash.each(&block)
    end

    def list
      load_all
      (@core.keys + @custom.keys).uniq.sort
    end

    def flush
      @custom.each_value(&:flush)
    end
    alias clear flush
    alias reset flush

    def search(*directories)
      @directories |= directories
    end

    def search_path
      @directories
    end

    def search_external(*) end

    def loadfacts
      load_all
    end

    def debug(text)
      log('debug', text)
    end

    def debugonce(text)
      log_once('debug', text)
    end

    def warn(text)
      log('warning', text)
    end

    def warnonce(text)
      log_once('warning', text)
    end

    def error(text)
      log('err', text)
    end

    # Logs each text once, however often code reads the fact. `place` is [file, line] for errors
    # without a place of their own.
    def log_exception(error, message = nil, place = nil)
      message ||= error.message
      frame = error&.backtrace_locations&.find { |location| @files.key?(location.path) }
      place = [frame.path, frame.lineno] if frame
      log_once('err', place ? "#{message} (file: #{place[0]}, line: #{place[1]})" : message)
    end

    def debugging?
      Bunraku.logs?(:debug)
    end

    def trace?
      false
    end

    def on_message; end

    # Returns the values of all facts other than core facts, by name, and the seconds that each file
    # and fact took.
    def collection
      load_all
      found = values.transform_values { |value| Values.plain(value) }
      [found, @files.merge(@seconds)]
    end

    # Returns the block's value and records its time for the fact `name`.
    def timed(name)
      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      yield
    ensure
      @seconds[name] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started
    end

    private

    def values
      found = @custom.to_h do |name, fact|
        [name, fact.value]
      rescue StandardError => error
        log_exception(error)
        [name, nil]
      end
      found.compact
    end

    def part_of(value, path)
      path.split('.').reduce(value) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end

    def log(level, text)
      Bunraku.ask('log', level, text.to_s, 'Facter') if Bunraku.logs?(level)
    end

    def log_once(level, text)
      log(level, text) if ((@once ||= {})[text] ||= 0) < 1
      @once[text] = 1
    end

    def load_files_named(name)
      @directories.each do |directory|
        path = File.join(directory, "#{name}.rb")
        load_file(path) if File.file?(path)
      end
    end

    def load_all
      return if @is_loaded

      @is_loaded = true
      @directories.each do |directory|
        Dir.glob(File.join(directory, '*.rb')).sort.each { |path| load_file(path) if File.file?(path) }
      end
    end

    def load_file(path)
      return if @files.key?(path)

      started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
      @files[path] = 0.0
      Kernel.load(path)
    rescue ScriptError => error
      log_exception(error, "Error loading fact #{path}: #{error.message}")
    rescue StandardError => error
      log_exception(error, "error while resolving custom facts in #{path} #{error.message}")
    ensure
      @files[path] = Process.clock_gettime(Process::CLOCK_MONOTONIC) - started if started
    end
  end
end

# The host's default providers: some custom facts make resources to find these.
module DefaultProviders
  PACKAGES = { 'Debian' => 'apt', 'Suse' => 'zypper', 'Gentoo' => 'portage', 'Archlinux' => 'pacman',
               'Mandrake' => 'urpmi' }.freeze
  SERVICES = { 'Debian' => 'debian', 'RedHat' => 'redhat', 'Suse' => 'redhat', 'Gentoo' => 'openrc' }.freeze

  def self.package
    family = Facter.value('os.family')
    return PACKAGES.fetch(family, 'gem') if family != 'RedHat'

    fedora = Facter.value('os.name') == 'Fedora'
    Facter.value('os.release.major').to_i < (fedora ? 22 : 8) ? 'yum' : 'dnf'
  end

  def self.service
    first = File.read('/proc/1/comm').chomp
    return 'systemd' if first == 'systemd'

    SERVICES.fetch(Facter.value('os.family'), 'service')
  rescue SystemCallError
    'service'
  end

  def self.answer(type)
    Puppet::Type.type(type).define_singleton_method(:"new#{type}") do |*|
      { provider: DefaultProviders.public_send(type).to_sym }
    end
  end

  # A service object that only answers whether the service runs.
  ServiceStatus = Struct.new(:name) do
    def provider
      self
    end

    def status
      words = DefaultProviders.service == 'systemd' ? ['systemctl', 'is-active', '--', name] : ['service', name, 'status']
      system({ 'LC_ALL' => 'C' }, *words, in: File::NULL, out: File::NULL, err: File::NULL) ? :running : :stopped
    end
  end

  def self.answer_status
    Puppet::Type.type(:service).define_singleton_method(:new) do |attributes|
      ServiceStatus.new((attributes[:name] || attributes[:title]).to_s)
    end
  end
end

Bunraku.use('facts/settings')

Bunraku.on('facts.collect') do |core, external, directories, settings, run_mode|
  Puppet.run_mode = run_mode
  values, names, differing = settings
  Puppet.settings.extend(FactSettings).values = values
  Puppet.settings.define(names, differing)
  # Custom facts that an agent has synchronised find further files of their modules in libdir.
  library = values['libdir']
  $LOAD_PATH.push(library) if library && File.directory?(library) && !$LOAD_PATH.include?(library)
  %i[package service].each { |type| DefaultProviders.answer(type) }
  DefaultProviders.answer_status
  Facter.begin_collection(core, external, directories)
  Facter.collection
end
