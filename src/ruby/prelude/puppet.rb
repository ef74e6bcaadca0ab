# Parts of the reference that module code uses besides functions and types: logging, settings,
# features, and classes of the evaluator.

# frozen_string_literal: true

# Methods that the reference gives all objects.
class Object
  def meta_eval(&block)
    singleton_class.instance_eval(&block)
  end

  def meta_def(name, &block)
    meta_eval { define_method(name, &block) }
  end

  def meta_undef(name)
    meta_eval { remove_method(name) }
  end

  def class_def(name, &block)
    class_eval { define_method(name, &block) }
  end
end

module Puppet
  # The version of the language (kReferenceVersion).
  PUPPETVERSION = '8.11.0'

  LEVELS = %i[debug info notice warning err alert emerg crit].freeze

  class << self
    LEVELS.each do |level|
      next if level == :debug

      define_method(level) do |text|
        next unless Bunraku.logs?(level)
        raise ::ArgumentError, 'Puppet::Util::Log requires a message' if text.nil?

        Bunraku.ask('log', level.to_s, text.is_a?(Array) ? text.join(' ') : text.to_s, 'Puppet')
        nil
      end
    end

    def debug(*texts)
      return unless Bunraku.logs?(:debug)

      Bunraku.ask('log', 'debug', block_given? ? yield(*texts).to_s : texts.join(' '), 'Puppet')
      nil
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

    # Warns with the place in Ruby code.
    def deprecation_warning(message, key = nil)
      place = caller.find { |line| !line.start_with?('bunraku/') }
      warn_deprecated(message, key || place, "(location: #{place})")
    end

    # Warns with a place in code of the language.
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

    def []=(name, value)
      settings[name] = value
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
      when :ssl_context then HTTP::SSLContext.of_site(false)
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

    # The services of the reference by name.
    def runtime
      @runtime ||= Runtime.new
    end

    def run_mode
      @run_mode ||= RunMode.new('server')
    end

    def run_mode=(name)
      @run_mode = RunMode.new(name)
    end

    # Loads the prelude's replacement of a file of the reference; some have files of their own.
    def provide(path)
      Bunraku.use('types') if path.match?(%r{\Apuppet/(type|parameter|property|provider|resource_api)\b})
      Bunraku.use('functions') if path.match?(%r{\Apuppet/(functions|parser/functions)\b})
      false
    end

    def const_missing(name)
      file = { Functions: 'functions', DataTypes: 'data_types', FileSystem: 'files',
               FileServing: 'files', Type: 'types', ResourceApi: 'types', HTTP: 'http', SSL: 'http', Network: 'http',
               Parameter: 'types', Property: 'types', Provider: 'types', Application: 'application' }[name]
      Missing.check(self, name) if file.nil?
      return super if file.nil?

      Bunraku.use(file)
      const_defined?(name, false) ? const_get(name, false) : super
    end
  end

  # Internal parts of the reference that do not exist here: code that names one gets an error.
  module Missing
    NAMES = {
      'Puppet' => %i[Pal Face Interface Configurer Agent Daemon Indirector Transaction SSL X509
                     Rest Forge ModuleTool Graph Reports Confine],
      'Puppet::Pops' => %i[Parser Model Validation Visitor Adapters Binder],
      'Puppet::Util' => %i[IniConfig FileType Pidlock Storage Autoload Watcher NagiosMaker]
    }.freeze

    def self.check(owner, name)
      return unless NAMES.fetch(owner.name, []).include?(name)

      raise NameError.new("#{owner}::#{name} is a part of Puppet's inside that Bunraku does not have", name)
    end

    # Used by modules that have no other constants to find.
    def const_missing(name)
      Missing.check(self, name)
      super
    end
  end

  module Pops
    extend Missing
  end

  module Util # rubocop:disable Style/Documentation
    extend Missing

    FILES = { TagSet: 'tags', SELinux: 'selinux', Diff: 'diff', Windows: 'windows', POSIX: 'posix' }.freeze

    def self.const_missing(name)
      file = FILES[name] or return super
      Bunraku.use(file)
      const_get(name, false)
    end
  end

  class Runtime # rubocop:disable Style/Documentation
    def [](name)
      case name
      when :http then @http ||= Puppet::HTTP::Client.new
      when :facter then Facter
      else raise ::ArgumentError, "Unknown service #{name}"
      end
    end
  end

  # The settings by name.
  class Settings
    WORDS = { 'true' => true, 'false' => false, 'unlimited' => Float::INFINITY }.freeze

    # The object for the text of a value.
    def self.typed(text)
      WORDS.fetch(text) { text.match?(/\A-?\d+\z/) ? text.to_i : text }
    end

    # The values of a run without a compilation, as texts.
    def values=(texts)
      @values = texts.transform_values { |text| Settings.typed(text) }
    end

    def [](name)
      return @changed[name.to_s] if @changed&.key?(name.to_s)

      value = (@values ||= Bunraku.ask('settings'))[name.to_s]
      %w[strict].include?(name.to_s) && value.is_a?(String) ? value.to_sym : value
    end
    alias value []

    # Changes the setting for code in Ruby only, until the end of the compilation or run.
    def []=(name, value)
      raise ::ArgumentError, "Attempt to assign a value to unknown setting :#{name}" if !include?(name)

      (@changed ||= {})[name.to_s] = value
    end

    def include?(name)
      !self[name].nil?
    end

    # The settings are read before any code of modules runs.
    def global_defaults_initialized?
      true
    end
    alias app_defaults_initialized? global_defaults_initialized?
  end

  class RunMode # rubocop:disable Style/Documentation
    attr_reader :name

    def initialize(name)
      @name = name.to_sym
    end

    def server?
      name == :server
    end
    alias master? server?

    def agent?
      name == :agent
    end

    def user?
      name == :user
    end
  end

  # Available libraries: features of the reference by the files that they need, and features that
  # modules define in lib/puppet/feature.
  class Features
    LIBRARIES = {
      syslog: 'syslog', ldap: 'ldap', libshadow: 'shadow', diff: %w[diff/lcs diff/lcs/hunk], openssl: 'openssl',
      sqlite: 'sqlite3', minitar: 'archive/tar/minitar', bolt: 'bolt', cfpropertylist: 'cfpropertylist',
      hiera_eyaml: 'hiera/backend/eyaml/parser/parser', hocon: 'hocon', msgpack: 'msgpack', pe_license: 'pe_license',
      selinux: 'selinux', ssh: 'net/ssh', telnet: 'net/telnet', zlib: 'zlib'
    }.freeze
    PRESENT = %i[posix hiera manages_symlinks].freeze

    def initialize
      @results = {}
    end

    def root?
      Process.uid.zero?
    end

    # The block's answer is kept, unless it is nil: then the feature may appear later.
    def add(name, options = {}, &block)
      @results.delete(name)
      meta_def(:"#{name}?") do
        @results[name] = block ? test(name, &block) : libraries?(options[:libs]) if @results[name].nil?
        !!@results[name]
      end
    end

    def respond_to_missing?(name, include_all = false)
      name.end_with?('?') || super
    end

    def method_missing(name, *arguments)
      return super unless name.end_with?('?')

      feature = name.to_s.chomp('?').to_sym
      return true if PRESENT.include?(feature)

      # A module's file takes precedence: it may need more libraries.
      file = Bunraku::Modules.find("puppet/feature/#{feature}")
      require file if file
      return public_send(name, *arguments) if singleton_methods(false).include?(name)

      LIBRARIES.key?(feature) && libraries?(LIBRARIES[feature]) ? true : false
    end

    private

    def test(name)
      yield
    rescue StandardError, ScriptError => error
      Puppet.warning("Failed to load feature test for #{name}: #{error.message}")
      nil
    end

    # Returns nil when one is missing, which a run may install.
    def libraries?(names)
      Array(names).each { |name| require name }
      true
    rescue LoadError
      nil
    end
  end

  module Pops
    EMPTY_HASH = {}.freeze
    EMPTY_ARRAY = [].freeze
    EMPTY_STRING = ''
    MAX_INTEGER = 0x7fffffffffffffff
    MIN_INTEGER = -0x8000000000000000

    module Types
      # The error for a value of a wrong type.
      class TypeAssertionError < Puppet::Error
        attr_reader :expected_type, :actual_type

        def initialize(message, expected_type = nil, actual_type = nil)
          super(message)
          @expected_type = expected_type
          @actual_type = actual_type
        end
      end
    end

    # The reference's issues, as far as module code raises them. The text shows their name and
    # arguments.
    module Issues
      TEXTS = {
        TASK_OPERATION_NOT_SUPPORTED_WHEN_COMPILING:
          "The task operation '%<operation>s' is not available when compiling a catalog"
      }.freeze

      Issue = Struct.new(:issue_code) do
        def format(arguments = {})
          known = TEXTS[issue_code]
          return Kernel.format(known, arguments) if known

          details = arguments.map { |name, value| "#{name}: #{value}" }
          text = issue_code.to_s.tr('_', ' ').downcase.capitalize
          details.empty? ? text : "#{text} (#{details.join(', ')})"
        end
      end

      def self.const_missing(name)
        const_set(name, Issue.new(name))
      end
    end

    # The stack of calls in code of the language.
    module PuppetStack
      def self.stacktrace
        Bunraku.ask('stack')
      end

      def self.top_of_stack
        stacktrace.first || []
      end
    end

    module Serialization
      # Converts values to plain data.
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

    # Resource functions for code that uses classes of the evaluator.
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
      # The context that data functions get.
      class Context; end

      # The scope and options of a look-up.
      class Invocation
        attr_reader :scope, :override_values, :default_values

        def initialize(scope, override_values = {}, default_values = {}, *)
          @scope = scope
          @override_values = override_values
          @default_values = default_values
        end
      end

      NOTHING = "\0nothing"

      # rubocop:disable Metrics/ParameterLists
      def self.lookup(name, type, default, has_default, merge, invocation, &block)
        options = { 'override' => invocation.override_values, 'default_values_hash' => invocation.default_values }
        options['value_type'] = type if type
        options['merge'] = merge if merge
        options['default_value'] = default if has_default
        invocation.scope.ask('function.call', 'lookup', name, options, &block)
      end
      # rubocop:enable Metrics/ParameterLists

      def self.search_and_merge(name, invocation, merge, *)
        found = lookup(name, nil, NOTHING, true, merge, invocation)
        throw :no_such_key if found == NOTHING
        found
      end
    end
  end
end

module Kernel
  def to_pson(*)
    PSON.generate(self)
  end
end

# The reference's old JSON variant, as far as functions read and write it.
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

# Gettext's function for translatable texts.
module Kernel
  def _(text)
    text
  end

  def n_(one, many, count)
    count == 1 ? one : many
  end
end

Bunraku.at_end { Puppet.forget_warnings }
