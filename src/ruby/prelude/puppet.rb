# What module code uses of the reference besides functions and types: errors, logging, settings,
# modules and small helpers.

# frozen_string_literal: true

module Puppet
  PUPPETVERSION = '7.23.0'

  class Error < RuntimeError # rubocop:disable Style/Documentation
    attr_accessor :original

    def initialize(message, original = nil)
      super(message)
      @original = original
    end
  end

  # Errors that know their place.
  module ExternalFileError
    attr_accessor :line, :file, :pos

    def initialize(message, file = nil, line = nil, pos = nil, original = nil)
      if file.is_a?(Exception) && line.nil?
        original = file
        file = nil
      end
      super(message, original)
      @file = file
      @line = line
      @pos = pos
    end

    def to_s
      message = super
      @file = nil if @file.is_a?(String) && @file.empty?
      return message if @file.nil? && @line.nil?

      parts = { file: @file, line: @line, column: @pos }.compact.map { |key, value| "#{key}: #{value}" }
      "#{message} (#{parts.join(', ')})"
    end
  end

  class ParseError < Error # rubocop:disable Style/Documentation
    include ExternalFileError
  end
  ParseErrorWithIssue = Class.new(ParseError)
  PreformattedError = Class.new(ParseErrorWithIssue)
  class ResourceError < Error # rubocop:disable Style/Documentation
    include ExternalFileError
  end
  DevError = Class.new(Error)

  module Context
    UndefinedBindingError = Class.new(Error)
  end

  module DataBinding
    LookupError = Class.new(Error)
  end
  ArgumentError = Class.new(Error)
  MissingCommand = Class.new(Error)
  SettingsError = Class.new(Error)
  ExecutionFailure = Class.new(Error)
  MethodNotFound = Class.new(Error)

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  class << self
    LEVELS.each do |level|
      define_method(level) do |*texts, &block|
        next unless Bunraku.logs?(level)

        text = block ? block.call : texts.join(' ')
        Bunraku.ask('log', level.to_s, text.to_s, 'Puppet')
        nil
      end
    end

    alias warn warning

    def log_exception(error, message = :default, *)
      err(message == :default ? error.message : message)
    end

    def warn_once(_kind, key, message = nil, file = nil, line = nil, *)
      @warned ||= {}
      return if @warned[key]

      @warned[key] = true
      parts = { file: file, line: line }.compact.map { |name, value| "#{name}: #{value}" }
      place = parts.empty? ? '(file & line not available)' : "(#{parts.join(', ')})"
      warning(file == :default && line == :default ? message || key : "#{message || key}\n   #{place}")
    end

    # Tells where in Ruby code the warning comes from.
    def deprecation_warning(message, key = nil)
      place = caller.find { |line| !line.start_with?('bunraku/') }
      warn_deprecated(message, key || place, "(location: #{place})")
    end

    # Tells a place in code of the language.
    def puppet_deprecation_warning(message, options = {})
      parts = options.slice(:file, :line).compact.map { |name, value| "#{name}: #{value}" }
      place = parts.empty? ? '(file & line not available)' : "(#{parts.join(', ')})"
      warn_deprecated(message, options[:key] || place, place)
    end

    def warn_deprecated(message, key, place)
      return if Array(self[:disable_warnings]).include?('deprecations')

      @deprecations ||= {}
      return if @deprecations.size >= 100 || @deprecations.key?(key)

      @deprecations[key] = true
      warning("#{message}\n   #{place}")
    end
    private :warn_deprecated

    def forget_warnings
      @warned = @deprecations = nil
      @settings = nil
    end

    def version
      PUPPETVERSION
    end

    def [](name)
      settings[name]
    end

    def settings
      @settings ||= Settings.new
    end

    def features
      @features ||= Features.new
    end

    def lookup(name)
      case name
      when :current_environment, :root_environment then Node::Environment.current
      when :global_scope then Parser::Scope.numbered(0)
      when :environments then Node::Environments
      when :pal_script_compiler, :pal_catalog_compiler, :pal_compiler then Parser::Scope.numbered(0).compiler
      when :loaders then Parser::Scope.numbered(0).compiler.loaders
      else
        known = (@contexts || []).reverse_each.find { |context| context.key?(name) }
        return known[name] if known

        block_given? ? yield : raise(Context::UndefinedBindingError, "Unable to lookup '#{name}'")
      end
    end

    def override(bindings = {}, *)
      (@contexts ||= []) << bindings
      yield
    ensure
      @contexts.pop
    end

    def push_context(bindings, *)
      (@contexts ||= []) << bindings
    end

    def pop_context
      @contexts.pop
    end

    def run_mode
      @run_mode ||= RunMode.new
    end

    # Files of the reference that the prelude stands for; some have parts of their own.
    def provide(path)
      Bunraku.use('types') if path.match?(%r{\Apuppet/(type|parameter|property|provider|resource_api)\b})
      Bunraku.use('functions') if path.match?(%r{\Apuppet/(functions|parser/functions)\b})
      false
    end

    def const_missing(name)
      file = { Functions: 'functions', DataTypes: 'data_types', FileSystem: 'files',
               FileServing: 'files', Type: 'types', ResourceApi: 'types',
               Parameter: 'types', Property: 'types', Provider: 'types' }[name]
      return super if file.nil?

      Bunraku.use(file)
      const_defined?(name, false) ? const_get(name, false) : super
    end
  end

  # The settings by name.
  class Settings
    def [](name)
      value = (@values ||= Bunraku.ask('settings'))[name.to_s]
      %w[strict].include?(name.to_s) && value.is_a?(String) ? value.to_sym : value
    end
    alias value []

    def include?(name)
      !self[name].nil?
    end
  end

  class RunMode # rubocop:disable Style/Documentation
    def server?
      true
    end
    alias master? server?

    def agent?
      false
    end

    def name
      :server
    end
  end

  # Which libraries there are: features of the reference by the files that they need, and those that
  # modules add in lib/puppet/feature.
  class Features
    LIBRARIES = {
      syslog: 'syslog', ldap: 'ldap', libshadow: 'shadow', diff: %w[diff/lcs diff/lcs/hunk], openssl: 'openssl',
      sqlite: 'sqlite3', minitar: 'archive/tar/minitar', bolt: 'bolt', cfpropertylist: 'cfpropertylist',
      hiera_eyaml: 'hiera/backend/eyaml/parser/parser', hocon: 'hocon', msgpack: 'msgpack', pe_license: 'pe_license',
      selinux: 'selinux', ssh: 'net/ssh', telnet: 'net/telnet', zlib: 'zlib'
    }.freeze
    PRESENT = %i[posix hiera manages_symlinks].freeze

    def root?
      Process.uid.zero?
    end

    def add(name, options = {}, &block)
      define_singleton_method(:"#{name}?") { block ? !!block.call : libraries?(options[:libs]) }
    end

    def respond_to_missing?(name, include_all = false)
      name.end_with?('?') || super
    end

    def method_missing(name, *arguments)
      return super unless name.end_with?('?')

      feature = name.to_s.chomp('?').to_sym
      return true if PRESENT.include?(feature)
      return libraries?(LIBRARIES[feature]) if LIBRARIES.key?(feature)

      file = Bunraku::Modules.find("puppet/feature/#{feature}")
      require file if file
      singleton_methods(false).include?(name) ? public_send(name, *arguments) : false
    end

    private

    def libraries?(names)
      Array(names).each { |name| require name }
      true
    rescue LoadError
      false
    end
  end

  # Modules of the environment.
  class Module
    attr_reader :name, :path

    # A module that is not there.
    class Error < Puppet::Error; end

    def self.find(name, _environment = nil)
      return nil if name.nil?

      path = Bunraku.ask('module.directory', name.to_s.split('/').first)
      path && new(File.basename(path), path)
    end

    def initialize(name, path, *)
      @name = name
      @path = path
    end

    { file: 'files', template: 'templates', plugin: 'lib', script: 'scripts' }.each do |method, folder|
      define_method(method) do |name = nil|
        path = [@path, folder, name].compact.join('/')
        File.exist?(path) ? path : nil
      end
    end

    def manifests
      "#{@path}/manifests"
    end

    def metadata
      @metadata ||= begin
        require 'json'
        File.exist?("#{@path}/metadata.json") ? JSON.parse(File.read("#{@path}/metadata.json")) : {}
      end
    end

    def version
      metadata['version']
    end

    def forge_name
      metadata['name']&.tr('-', '/')
    end
  end

  # Nodes and environments.
  class Node
    class Environment # rubocop:disable Style/Documentation
      def self.current
        @current ||= new
      end

      def name
        Puppet[:environment].to_s.to_sym
      end

      def to_s
        name.to_s
      end

      def modules
        Bunraku::Modules.directories.map { |path| Module.new(File.basename(path), path) }
      end

      def module(name)
        Module.find(name)
      end

      def modulepath
        Bunraku::Modules.directories.map { |path| File.dirname(path) }.uniq
      end
      alias full_modulepath modulepath

      def modules_by_path
        modules.group_by { |one| File.dirname(one.path) }
      end

      def known_resource_types
        Parser::ResourceTypes.new
      end
    end

    # The facts of a node.
    class Facts
      attr_reader :name, :values

      def initialize(name, values = {})
        @name = name
        @values = values
      end

      def [](name)
        @values[name]
      end

      def to_hash
        @values
      end
      alias to_h to_hash
    end

    # All environments that code knows of.
    module Environments
      def self.get(_name)
        Environment.current
      end
      singleton_class.alias_method :get!, :get
    end

    attr_reader :name, :environment

    def initialize(name)
      @name = name
      @environment = Environment.current
    end

    def facts
      Facts.new(@name, Bunraku.ask('variable.find', 'facts')&.first || {})
    end

    def parameters
      Bunraku.ask('variable.all')
    end

    def trusted_data
      Bunraku.ask('variable.find', 'trusted')&.first
    end

    def server_facts
      Bunraku.ask('variable.find', 'server_facts')&.first
    end

    def classes
      {}
    end
  end

  # Small helpers.
  module Util
    AbsolutePathWindows = %r{\A(?:(?:[A-Z]:#{'[\\\\/]'})|(?:[\\/]{2}[^\\/]+[\\/][^\\/]+)|(?:[\\/]{2}\?[\\/][^\\/]+))}io.freeze
    AbsolutePathPosix = %r{\A/}.freeze

    module_function

    def absolute_path?(path, platform = nil)
      path = path.to_path if path.respond_to?(:to_path)
      (platform == :windows ? AbsolutePathWindows : AbsolutePathPosix).match?(path.to_s)
    end

    def which(name)
      return name if absolute_path?(name) && File.executable?(name)

      ENV.fetch('PATH', '').split(':').map { |folder| "#{folder}/#{name}" }
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
      require 'cgi'
      CGI.unescape(uri.path)
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

    # Versions as the function versioncmp has them.
    module Package
      # What is no text fails as any call of a method does that there is not.
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

      # Without options, what fails is an error, and both streams are taken.
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
      rescue SystemCallError
        ['', 1]
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
      def self.load(text, _options = {})
        require 'json'
        JSON.parse(text)
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
      # What cannot be read.
      class YamlLoadError < Puppet::Error; end

      def self.safe_load(text, classes = [], filename = nil)
        require 'yaml'
        YAML.safe_load(text, permitted_classes: classes, aliases: true, filename: filename)
      rescue Psych::Exception => error
        raise YamlLoadError, "(#{filename || '<unknown>'}): #{error.message}"
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
    end

    # A record of the log, written at once.
    class Log
      attr_reader :level, :message, :source

      def self.levels
        LEVELS.dup
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

    # Texts without their margin.
    module Docs
      def self.scrub(text)
        margin = text.lines.drop(1).grep(/\S/).map { |line| line[/\A */].size }.min || 0
        text.gsub(/^ {0,#{margin}}/, '').strip
      end
    end

    module Errors # rubocop:disable Style/Documentation
      def fail(*texts)
        type = texts.first.is_a?(Class) ? texts.shift : Puppet::Error
        raise type, texts.join(' ')
      end
    end

    # Texts for people that cannot be sent for, by those who print in Ruby's own form.
    module RubyGems; end
    module SUIDManager; end # rubocop:disable Style/Documentation
    module Warnings; end
  end


  module Pops
    EMPTY_HASH = {}.freeze
    EMPTY_ARRAY = [].freeze
    EMPTY_STRING = ''
    MAX_INTEGER = 0x7fffffffffffffff
    MIN_INTEGER = -0x8000000000000000

    # Where a call in code came from.
    module PuppetStack
      def self.stacktrace
        Bunraku.ask('stack')
      end

      def self.top_of_stack
        stacktrace.first || []
      end
    end

    module Serialization
      # Values as plain data.
      class ToDataConverter
        def self.convert(value, options = {})
          new(options).convert(value)
        end

        def initialize(options = {})
          @is_rich = options.fetch(:rich_data, false)
        end

        def convert(value)
          require 'json'
          JSON.parse(Bunraku.ask('value.rich_data', value, @is_rich))
        end
      end
    end

    # Resources for code that speaks of the parts of the evaluator.
    module Evaluator
      module Runtime3ResourceSupport
        module_function

        def create_resources(_file, _line, scope, virtual, exported, type_name, titles, parameters)
          resources = titles.map do |title|
            Parser::Resource.new(type_name, title, parameters: parameters, scope: scope, virtual: virtual,
                                                   exported: exported)
          end
          resources.flat_map { |one| one.add_to_catalog(scope) }
        end

        def find_resource_type(scope, name)
          scope.known_resource_types.find_definition(name)
        end

        def find_hostclass(scope, name)
          scope.known_resource_types.find_hostclass(name)
        end

        def find_resource_type_or_class(scope, name)
          find_resource_type(scope, name) || find_hostclass(scope, name)
        end

        def find_main_class(scope)
          find_hostclass(scope, '')
        end
      end
    end

    module Lookup
      # What data functions are given.
      class Context; end
    end
  end
end

module Kernel
  def to_pson(*)
    PSON.generate(self)
  end
end

# The JSON of old, as far as functions read and write it.
module PSON
  def self.const_missing(name)
    require 'json'
    name == :ParserError ? JSON::ParserError : super
  end

  class << self
    def load(text, *)
      parse(text)
    end

    def parse(text, options = {})
      require 'json'
      JSON.parse(text.is_a?(String) ? text : text.read, options)
    end

    def generate(value, *)
      require 'json'
      JSON.generate(value)
    end
    alias dump generate

    def pretty_generate(value, *)
      require 'json'
      JSON.pretty_generate(value)
    end
  end
end

# Gettext's marker of texts.
module Kernel
  def _(text)
    text
  end

  def n_(one, many, count)
    count == 1 ? one : many
  end
end

Bunraku.at_end { Puppet.forget_warnings }

# Facts of the machine that compiles, a few of them: module code asks for some when it is loaded. They
# are not those of the node.
module Facter
  class << self
    def value(name)
      name.to_s.split('.').reduce(facts) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end
    alias [] value

    def to_hash
      facts
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Struct.new(:value).new(found)
    end

    def add(*); end

    def version
      '4.3.0'
    end

    def debug(text)
      Puppet.debug(text)
    end

    private

    def facts
      @facts ||= begin
        require 'etc'
        system = Etc.uname
        os = release
        host, domain = Etc.uname[:nodename].split('.', 2)
        { 'kernel' => system[:sysname], 'kernelrelease' => system[:release], 'architecture' => system[:machine],
          'kernelversion' => system[:release][/\A[\d.]+/], 'hostname' => host, 'domain' => domain,
          'fqdn' => system[:nodename], 'osfamily' => os['family'], 'operatingsystem' => os['name'],
          'operatingsystemrelease' => os['release']['full'], 'operatingsystemmajrelease' => os['release']['major'],
          'os' => os, 'path' => ENV.fetch('PATH', ''), 'rubyversion' => RUBY_VERSION,
          'networking' => { 'hostname' => host, 'domain' => domain, 'fqdn' => system[:nodename] } }
      end
    end

    def release
      told = File.exist?('/etc/os-release') ? File.readlines('/etc/os-release', chomp: true) : []
      told = told.grep(/=/).to_h { |line| line.split('=', 2).then { |key, value| [key, value.delete('"')] } }
      id = told.fetch('ID', 'linux')
      names = { 'debian' => 'Debian', 'ubuntu' => 'Ubuntu', 'rhel' => 'RedHat', 'centos' => 'CentOS',
                'fedora' => 'Fedora', 'rocky' => 'Rocky', 'almalinux' => 'AlmaLinux', 'sles' => 'SLES' }
      like = [id, *told['ID_LIKE'].to_s.split]
      family = like.include?('debian') ? 'Debian' : names[id]
      family = 'RedHat' if !(like & %w[rhel fedora centos]).empty?
      full = told.fetch('VERSION_ID', '')
      { 'name' => names.fetch(id, id.capitalize), 'family' => family || id.capitalize,
        'release' => { 'full' => full, 'major' => full.split('.').first } }
    end
  end

  module Util # rubocop:disable Style/Documentation
    module Resolution; end # rubocop:disable Style/Documentation
  end
end
