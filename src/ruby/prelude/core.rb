# The worker's main file: messages, requests, questions, and restrictions on module code. The
# protocol is described in ruby/worker/session.h.

# frozen_string_literal: true

Encoding.default_external = Encoding::UTF_8
Encoding.default_internal = Encoding::UTF_8

# The reference always has this library loaded.
autoload :StringScanner, 'strscan'

$bunraku_prelude[1].('isolation.rb')

module Bunraku
  # Marks an error that the compiler answered. Code may rescue it like any other error.
  module FromCompiler
    attr_accessor :bunraku_token
  end

  # Raised when a lambda of the language was left early: no code may rescue this.
  class Unwinding < Exception; end

  @io = $bunraku_io
  @sources, @load = $bunraku_prelude
  @loaded = { 'core.rb' => true }
  @requests = {}
  @scopes = []
  @procs = {}
  @node_data = {}
  @next_proc = 0
  @compilation = 0

  class << self
    # Registers the block that answers requests of the name.
    def on(name, &answer)
      @requests[name] = answer
    end

    # Loads a file of the prelude unless it has been loaded.
    def use(name)
      file = "#{name}.rb"
      return if @loaded[file]

      raise "There is no prelude file '#{file}'" unless @sources.key?(file)

      @loaded[file] = true
      Isolation.loading { @load.(file) }
    end

    # Marks a file as loaded, because other files replace it.
    def stand_for(name)
      @loaded["#{name}.rb"] = true
    end

    # The scope of the current request.
    def scope
      Puppet::Parser::Scope.numbered(@scopes.last || 0)
    end

    # Puts a question to the compiler. Raises the error if it fails.
    def ask(name, *arguments)
      ask_in(@scopes.last || 0, name, arguments)
    end

    def ask_in(scope, name, arguments, block = nil)
      @sent = nil unless name == 'variable.find'
      lent = block && lend(block)
      write([2, name, arguments, scope, lent])
      loop do
        message = read
        case message[0]
        when 0 then answer(message)
        when 1 then return message[1]
        when 2 then raise compiler_error(*message.drop(1))
        when 3 then raise Unwinding
        end
      end
    ensure
      @procs.delete(lent[0]) if lent
    end

    # Returns [value], or nil when there is no such variable.
    def find_variable(scope, name)
      return @sent[name] if scope == @sent_scope && @sent&.key?(name)

      NODE_DATA.include?(name) ? node_data(name) : ask_in(scope, 'variable.find', [name])
    end

    # Variables that are the same in all scopes and cannot be changed.
    NODE_DATA = %w[facts ::facts trusted ::trusted server_facts ::server_facts].freeze

    def node_data(name)
      name = name.delete_prefix('::')
      @node_data.fetch(name) { @node_data[name] = freeze_deeply(ask_in(0, 'variable.find', [name])) }
    end

    # Runs the block with known answers to `variable.find` in the request's scope. They are dropped
    # at the first other question, since the code that it calls may set variables.
    def with_variables(found)
      @sent_scope = @scopes.last
      @sent = found
      yield
    ensure
      @sent = nil
    end

    def call_lambda(compilation, number, arguments)
      unless compilation == @compilation
        raise Puppet::Error, 'A block cannot be called after the compilation that it was given in'
      end

      ask('block.call', number, *arguments)
    end

    def call_proc(number, arguments)
      @procs.fetch(number).call(*arguments)
    end

    def serve
      while (message = read)
        case message[0]
        when 0 then answer(message)
        when 4 then forget
        end
      end
    end

    # Returns whether any log destination takes records of the level.
    def logs?(level)
      @logs ||= {}
      @logs.fetch(level) { @logs[level] = ask('log.takes', level.to_s) }
    end

    # Registers a block to run at the end of a compilation.
    def at_end(&block)
      (@at_end ||= []) << block
    end

    # Registers that code runs at the end of the process.
    def keep_exit_handlers
      return if @has_exit_handlers

      ask('apply.at_exit')
      @has_exit_handlers = true
    end

    private

    def end_process
      @has_exit_handlers ? exit : exit!
    end

    def forget
      @compilation += 1
      @procs.clear
      @node_data.clear
      @written = nil
      Foreign.forget
      @logs = nil
      (@at_end || []).each(&:call)
      exit! unless Isolation.end
      write([4])
    end

    def freeze_deeply(value)
      case value
      when Array then value.each { |item| freeze_deeply(item) }
      when Hash
        value.each_value { |item| freeze_deeply(item) }
      end
      value.freeze
    end

    def lend(block)
      number = (@next_proc += 1)
      @procs[number] = block
      required = block.parameters.count { |kind, _| kind == :req || (kind == :opt && !block.lambda?) }
      optional = block.lambda? ? block.parameters.count { |kind, _| kind == :opt } : 0
      rest = block.parameters.any? { |kind, _| kind == :rest }
      [number, required, rest ? -1 : required + optional]
    end

    # A proc for a lambda of the language, which can be called until the compilation ends.
    def block_of(number, from, to, names)
      compilation = @compilation
      block = proc { |*arguments| Bunraku.call_lambda(compilation, number, arguments) }
      arity = to == from ? from : -from - 1
      block.define_singleton_method(:arity) { arity }
      parameters = names.each_with_index.map do |name, i|
        kind = i < from ? :req : :opt
        [to.negative? && i + 1 == names.size ? :rest : kind, name.to_sym]
      end
      block.define_singleton_method(:parameters) { |**_| parameters }
      block
    end

    def answer(message)
      _, name, arguments, scope, block = message
      @scopes.push(scope)
      use(name[0, name.index('.')]) unless @requests.key?(name)
      handler = @requests.fetch(name)
      block = block && block_of(*block)
      value = handler.call(*arguments, &block)
      Puppet::Parser::Scope.report_changes
      write([0, Unwinding === value ? nil : value])
    rescue Unwinding
      write([3])
    rescue SystemExit
      write([1, 'Ruby code tried to end the process (exit)', 'SystemExit', -1, nil, nil, false])
    rescue NoMemoryError
      write([1, 'Ruby code ran out of memory', 'NoMemoryError', -1, nil, nil, false])
    rescue Exception => error # rubocop:disable Lint/RescueException
      answer = failure(error)
      @raised = [[answer[0], "Evaluation Error: #{error.message}"], error] if @scopes.size > 1
      write([1, *answer])
    ensure
      @scopes.pop
    end

    def failure(error)
      token = error.is_a?(FromCompiler) ? error.bunraku_token : -1
      place = error.message[/\A[^:\n]+:\d+(?=: )/] if error.is_a?(SyntaxError)
      place ||= (error.backtrace || []).find { |line| !line.start_with?('bunraku/', '-e:') }
      own = own_place(error)
      message = begin
        (own ? error.message_alone : error.message).to_s
      rescue StandardError
        error.class.to_s
      end
      message = message.encode('UTF-8', invalid: :replace, undef: :replace).scrub
      [message, error.class.name.to_s, token || -1, place && place.dup.force_encoding('UTF-8').scrub, own,
       !error.is_a?(Puppet::Error)]
    end

    # The [file, line, column] of an error that carries its own place instead of that of a call.
    def own_place(error)
      return nil unless error.is_a?(Puppet::ParseError)
      return nil unless error.is_a?(Puppet::PreformattedError) || error.file || error.line

      [error.file&.to_s, error.line.to_i, error.pos.to_i]
    end

    def class_of_error(message)
      case message
      when WRONG_CALL then ::ArgumentError
      when /\Aassert_type\(\): expects / then Puppet::Pops::Types::TypeAssertionError
      when /\ACould not find class ::/ then Puppet::Error
      else Puppet::ParseError
      end
    end

    # Messages about calls of unknown functions or with wrong arguments.
    WRONG_CALL = /\A(?:Unknown function '|Function \S+\(\): Unknown function: '|(?:The function )?'[\w:]+' (?:was called with|expects |parameter |block |rejects )|\w+\(\): Wrong number of arguments given)/.freeze

    def compiler_error(message, token, is_lookup)
      # An error that a Ruby block raised comes back as the same object.
      error = @raised[1] if @raised && @raised[0].include?(message)
      error ||= (is_lookup ? Puppet::DataBinding::LookupError : class_of_error(message)).new(message)
      @raised = nil
      error.extend(FromCompiler)
      error.bunraku_token = token
      error
    end

    def read
      loop do
        head = @io.read(4)
        end_process if head.nil? # the compiler is gone
        message = Marshal.load(@io.read(head.unpack1('V')))
        return message unless message[0] == AGAIN

        send_bytes(Marshal.dump(Plain.of(@written)))
      end
    end

    def write(message)
      @written = message
      content = begin
        Marshal.dump(message)
      rescue TypeError
        Marshal.dump(Plain.of(message))
      end
      content = Marshal.dump(Plain.of(message)) if content.include?(FOREIGN_ENCODING)
      send_bytes(content)
    end

    def send_bytes(content)
      @io.write([content.bytesize].pack('V') << content)
    end
  end

  # The compiler could not read an object in the last message and requests a plain form.
  AGAIN = 5

  # The symbol in Marshal data that marks a text as neither UTF-8 nor binary.
  FOREIGN_ENCODING = ":\rencoding".b.freeze

  # Converts values to a form that the compiler can read: texts in UTF-8, and a Foreign for each
  # object that no value of the language represents.
  module Plain
    def self.of(value)
      case value
      when nil, true, false, Integer, Float, Symbol, Regexp then value
      when Array then value.map { |item| of(item) }
      when Hash then value.to_h { |key, item| [of(key), of(item)] }
      when String then in_utf8(String.new(value))
      else known?(value) ? value : Foreign.of(value)
      end
    end

    KNOWN = /\A(?:Puppet|SemanticPuppet|Bunraku|URI)::|\ABigDecimal\z/.freeze

    def self.known?(value)
      return false if Module === value || !KNOWN.match?(value.class.name.to_s)
      return false unless value.respond_to?(:_dump, true) || value.respond_to?(:marshal_dump, true)

      Marshal.dump(value)
      true
    rescue TypeError
      false
    end

    def self.in_utf8(text)
      text.encoding == Encoding::BINARY ? text : text.encode('UTF-8')
    rescue EncodingError
      text.b
    end
  end

  # A reference to an object that no value of the language represents. The compiler passes on its
  # number, class and text; Ruby code gets the object itself back, until the compilation ends.
  class Foreign
    @objects = []
    @numbers = {}.compare_by_identity

    class << self
      def of(object)
        @numbers[object] ||= @objects.push(object).size - 1
        new(object, @numbers[object])
      end

      def _load(content)
        process, number = content.split.map(&:to_i)
        return @objects.fetch(number) if process == Process.pid

        raise Puppet::Error, 'A Ruby object cannot be used after the process that made it has ended'
      end

      def forget
        @objects.clear
        @numbers.clear
      end
    end

    def initialize(object, number)
      @object = object
      @number = number
    end

    # [process, number, name of the class, whether it is a class itself, text]
    def marshal_dump
      is_class = Module === @object
      named = is_class ? @object : Kernel.instance_method(:class).bind(@object).call
      [Process.pid, @number, named.name, is_class, Plain.in_utf8(String.new(text))]
    end

    private

    def text
      "#{@object}"
    rescue StandardError
      ''
    end
  end

  # Replaces the standard streams: written text becomes log records.
  class LogStream
    def initialize(level)
      @level = level
      @rest = +''
    end

    def write(*texts)
      texts.each { |text| @rest << text.to_s }
      while (line = @rest.slice!(/\A[^\n]*\n/))
        Bunraku.ask('log', @level, line.chomp, 'Ruby')
      end
      texts.sum { |text| text.to_s.bytesize }
    end

    def <<(text)
      write(text)
      self
    end

    def print(*texts)
      write(*texts)
      nil
    end

    def puts(*texts)
      texts = [''] if texts.empty?
      texts.flatten.each { |text| write(text.to_s.end_with?("\n") ? text.to_s : "#{text}\n") }
      nil
    end

    def printf(format, *values)
      write(format(format, *values))
      nil
    end

    def flush
      self
    end
    alias fsync flush

    def sync
      true
    end
    attr_writer :sync

    def tty?
      false
    end
    alias isatty tty?

    def fileno
      @level == 'info' ? 1 : 2
    end
  end

  on('core.configure') do |modules|
    Modules.directories = modules
    nil
  end

  on('core.call_proc') { |number, *arguments| call_proc(number, arguments) }
  # Evaluates a file and returns the result.
  on('core.run') { |path| eval(File.read(path), TOPLEVEL_BINDING, path) }
  # Returns its arguments, for measuring the cost of a request.
  on('core.echo') { |*arguments| arguments }
end

# Libraries that the reference has loaded, so that module code does not require them.
Bunraku::LIBRARIES = {
  Gem: 'rubygems', Digest: 'digest', JSON: 'json', YAML: 'yaml', Psych: 'psych', Set: 'set', SortedSet: 'set', URI: 'uri',
  OpenSSL: 'openssl', Tempfile: 'tempfile', FileUtils: 'fileutils', Pathname: 'pathname', Etc: 'etc',
  Timeout: 'timeout', SecureRandom: 'securerandom', StringIO: 'stringio', ERB: 'erb', Date: 'date', DateTime: 'date',
  Open3: 'open3', Socket: 'socket', TCPSocket: 'socket', UNIXSocket: 'socket', IPAddr: 'ipaddr', Shellwords: 'shellwords',
  Base64: 'base64', Singleton: 'singleton', Forwardable: 'forwardable', Observable: 'observer', Monitor: 'monitor',
  Benchmark: 'benchmark', OptionParser: 'optparse', CGI: 'cgi', Zlib: 'zlib', PP: 'pp', Find: 'find', Hocon: 'hocon',
  Concurrent: 'concurrent', Syslog: 'syslog', OpenStruct: 'ostruct', Net: 'net/http', Resolv: 'resolv', Logger: 'logger',
  Delegator: 'delegate', SimpleDelegator: 'delegate', RbConfig: 'rbconfig', TSort: 'tsort', MonitorMixin: 'monitor',
  GetoptLong: 'getoptlong', Ripper: 'ripper', DeepMerge: 'deep_merge/core', Racc: 'racc/parser'
}.freeze
Bunraku::LIBRARIES.each { |name, file| autoload name, file unless Object.const_defined?(name, false) }

module Bunraku
  # The search path of module code, and the files of the reference that need not exist.
  module Modules
    PROVIDED = %r{\A(puppet|facter|hiera|hiera_puppet|semantic_puppet)(/|\z|\.rb\z)}

    @libraries = []

    class << self
      attr_reader :directories
      attr_accessor :libraries

      def directories=(directories)
        @directories = directories
        libraries = directories.map { |directory| "#{directory}/lib" }
        $LOAD_PATH.unshift(*(libraries - $LOAD_PATH))
        @libraries = libraries
      end

      # The path of a file in the modules' libraries; other directories are not searched.
      def find(name)
        name = "#{name}.rb" unless name.end_with?('.rb')
        @libraries.each do |library|
          path = "#{library}/#{name}"
          return path if File.file?(path)
        end
        nil
      end

      # As find(), cached until the compilation ends. Yields when a file is found for the first
      # time.
      def find_cached(name)
        @found ||= {}
        @found.fetch(name) do
          @found[name] = find(name)
          yield if @found[name]
          @found[name]
        end
      end

      def forget
        @found = nil
      end

      def provided?(name)
        PROVIDED.match?(name) && !@library&.match?(name)
      end

      # Names of files that an installed library provides.
      def installed_library=(names)
        @library = names
      end
    end
  end
end

# Methods that a library defines when it is loaded: the first call loads it.
module Bunraku
  def self.define_until_loaded(file, owner, *names)
    names.each do |name|
      owner.define_method(name) do |*arguments, **options, &block|
        require file
        __send__(name, *arguments, **options, &block)
      end
    end
  end

  define_until_loaded('uri', Kernel, :URI)
  define_until_loaded('pathname', Kernel, :Pathname)
  define_until_loaded('json', Kernel, :JSON, :j, :jj, :to_json)
  define_until_loaded('yaml', Kernel, :to_yaml)
  define_until_loaded('set', Enumerable, :to_set)
  define_until_loaded('tmpdir', Dir.singleton_class, :mktmpdir, :tmpdir)
  define_until_loaded('date', Time, :to_date, :to_datetime)
  define_until_loaded('time', Time, :httpdate, :iso8601, :rfc2822, :xmlschema)
  define_until_loaded('time', Time.singleton_class, :httpdate, :iso8601, :parse, :rfc2822, :strptime, :xmlschema)
  Kernel.__send__(:private, :URI, :Pathname, :JSON, :j, :jj)
end

module Bunraku
  # Loads Ruby's additions to messages on misspelt names when the first of these messages is read.
  module MisspeltNames
    def to_s
      MisspeltNames.explain
      to_s
    end

    def self.explain
      remove_method(:to_s)
      %w[error_highlight did_you_mean].each { |library| load_library(library) }
    end

    # Older versions of Ruby have only one of them.
    def self.load_library(name)
      require name
    rescue LoadError
      nil
    end

    [NameError, KeyError].each { |error| error.prepend(self) }
  end

  # Makes URIs travel as their text.
  def self.send_uris
    URI::Generic.class_eval do
      def self._load(text)
        URI.parse(text)
      end

      def _dump(_level)
        to_s
      end
    end
  end
end

module Kernel
  alias bunraku_require require
  private :bunraku_require

  # Files of the reference are not loaded, because the prelude replaces them.
  def require(name)
    path = name.respond_to?(:to_path) ? name.to_path : name.to_str
    Bunraku::Isolation.loading { bunraku_load(name, path) }
  end
  private :require

  def bunraku_load(name, path)
    if Bunraku::Modules.provided?(path)
      file = Bunraku::Modules.find(path)
      return file ? bunraku_require(file) : Puppet.provide(path)
    end
    # Loading a part of such a library first would load the whole library in the middle of it.
    library = path[%r{\A\w+(?=/)}]
    whole = library && Bunraku::LIBRARIES.find do |one, file|
      (file == library || (file != path && file.start_with?("#{library}/"))) && Object.autoload?(one)
    end
    require(whole[1]) if whole
    was_loaded = bunraku_require(name)
    Bunraku.send_uris if was_loaded && path == 'uri'
    # A file that the library forgets to load and the reference has loaded.
    bunraku_require('hocon/impl/config_delayed_merge') if was_loaded && path == 'hocon/config_factory'
    was_loaded
  rescue LoadError => error
    raise if Object.autoload?(:Gem).nil? || error.path != path

    Gem # its `require` stands above this one from now on
    require(name)
  end
  private :bunraku_load
end

Bunraku.at_end { Bunraku::Modules.forget }
%w[errors values versions objects puppet util environment facter hiera scope catalog].each { |name| Bunraku.use(name) }
$stdout = Bunraku::LogStream.new('info')
$stderr = Bunraku::LogStream.new('info')
$bunraku_io = $bunraku_prelude = nil
Module.prepend(Bunraku::Isolation::Watch)
[Signal.singleton_class, Kernel].each { |one| one.prepend(Bunraku::Isolation::Traps) }
Bunraku::Isolation.begin
Bunraku.serve
