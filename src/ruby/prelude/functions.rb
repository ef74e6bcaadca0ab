# Functions of modules: Puppet::Functions.create_function and, for the older interface, newfunction.
# The compiler checks the arguments against the signatures.

# frozen_string_literal: true

Bunraku.use('changes')

module Puppet
  # The current interface.
  module Functions
    Any = 'Any'

    class << self
      def create_function(name, base = Function, &block)
        raise ArgumentError, "Functions must be based on Puppet::Pops::Functions::Function. Got #{base}" unless
          base <= Pops::Functions::Function

        name = name.to_s
        function = Class.new(base)
        function.instance_variable_set(:@func_name, name)
        function.class_eval(&block)
        function.add_default_dispatch if function.dispatches.empty?
        function
      rescue StandardError => error
        raise ArgumentError, "Function Load Error for function '#{name}': #{error.message}"
      end
      alias create_loaded_function create_function
    end
  end

  module Pops
    module Functions
      # The methods that every function has.
      class Function
        class << self
          # The file of the function, whose module's functions are visible first.
          attr_accessor :file

          def name
            @func_name || super
          end

          def loader
            Loader
          end

          # A function's own `initialize` has these arguments.
          def instance
            new(Parser::Scope.numbered(0), Loader)
          end

          def dispatches
            @dispatches ||= []
          end

          def type_aliases
            @type_aliases ||= []
          end

          def dispatcher
            Dispatcher
          end
        end

        # Calls the method of the dispatch that the compiler selects. Objects that are no value of
        # the language match where any value does.
        module Dispatcher
          def self.dispatch(function, scope, arguments, &block)
            scope ||= function.closure_scope
            name = function.class.name
            shown = arguments.map { |one| one.is_a?(Parser::Scope) ? nil : one }
            number = scope.ask('function.select', name, *shown, &block)
            result = function.class.dispatches[number].invoke(function, arguments, &block)
            scope.ask('function.check_result', name, number, result) if function.class.dispatches[number].promises?
            result
          end
        end

        def initialize(*); end

        def closure_scope
          Parser::Scope.numbered(0)
        end

        def loader
          Loader
        end

        def call_function(name, *arguments, &block)
          call_in(closure_scope, name, arguments, &block)
        end

        # Calls the function as code does: the arguments are checked.
        def call(scope, *arguments, &block)
          self.class.dispatcher.dispatch(self, scope, arguments, &block)
        end

        private

        def call_in(scope, name, arguments, &block)
          Bunraku::PartlyRun.result_or do
            scope.ask('function.call_from', self.class.name.to_s, self.class.file.to_s, name.to_s, *arguments, &block)
          end
        end
      end

      # Finds functions.
      module Loader
        def self.load(kind, name)
          return nil unless kind == :function && Bunraku.ask('function.exists', name.to_s)

          Loaded.new(name.to_s)
        end

        def self.private_loader
          self
        end
      end

      # A function found by another function.
      class Loaded
        def initialize(name)
          @name = name
        end

        def call(scope, *arguments, &block)
          scope = Parser::Scope.numbered(0) unless scope.is_a?(Parser::Scope)
          scope.ask('function.call', @name, *arguments, &block)
        end
      end
    end
  end

  module Functions
    # One signature of a function: a `dispatch` in its definition.
    class Dispatch
      attr_reader :method

      def initialize(method, is_mismatch_handler, injects)
        @method = method
        @is_mismatch_handler = is_mismatch_handler
        @injects = injects
        @parameters = []
        @slots = []
        @minimum = @maximum = 0
      end

      def param(type, name)
        add(type, name)
        raise ArgumentError, 'A required parameter cannot be added after an optional parameter' if @minimum != @maximum

        @minimum += 1
        @maximum += 1
      end
      alias required_param param

      def optional_param(type, name)
        add(type, name, optional: true)
        @maximum += 1
      end

      def repeated_param(type, name)
        add(type, name, optional: true, repeated: true)
        @maximum = nil
      end
      alias optional_repeated_param repeated_param

      def required_repeated_param(type, name)
        add(type, name, repeated: true)
        if @minimum != @maximum
          raise ArgumentError, 'A required repeated parameter cannot be added after an optional parameter'
        end

        @minimum += 1
        @maximum = nil
      end

      def block_param(*type_and_name)
        case type_and_name.size
        when 0 then type, name = 'Callable', :block
        when 1 then type, name = 'Callable', type_and_name[0]
        when 2 then type, name = type_and_name
        else raise ArgumentError, "block_param accepts max 2 arguments (type, name), got #{type_and_name.size}."
        end
        unless name.is_a?(Symbol)
          raise ArgumentError, "Expected block_param name to be a Symbol, got #{name.class}"
        end
        raise ArgumentError, 'Attempt to redefine block' if @block

        @block = type
        @block_name = name
      end
      alias required_block_param block_param

      def optional_block_param(*type_and_name)
        block_param(*type_and_name)
        @block_is_optional = true
      end

      def return_type(type)
        unless type?(type)
          raise ArgumentError,
                "Argument to 'return_type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end
        @return_type = type
      end

      %i[scope_param script_compiler_param cache_param compiler_param pal_compiler_param].each do |name|
        define_method(name) do
          raise NoMethodError, "undefined method `#{name}' for #{self.class}" unless @injects

          @slots << name
        end
      end

      # Accepts any number of arguments of any type that the method can take.
      def take_all(method)
        kinds = method.parameters.map(&:first)
        @minimum = kinds.count(:req)
        @maximum = kinds.include?(:rest) ? nil : @minimum + kinds.count(:opt)
        method.parameters.each_with_index do |(kind, name), i|
          next unless %i[req opt rest].include?(kind)

          @parameters << { 'type' => 'Any', 'name' => name.to_s, 'optional' => kind != :req,
                           'repeated' => kind == :rest }
          @slots << (kind == :rest ? (i..) : i)
        end
      end

      def description
        { 'parameters' => @parameters, 'minimum' => @minimum, 'maximum' => @maximum, 'block' => @block,
          'block_name' => @block_name.to_s, 'block_is_optional' => @block_is_optional,
          'return_type' => @return_type, 'is_mismatch_handler' => @is_mismatch_handler,
          'method' => @method.to_s }
      end

      def promises?
        @is_mismatch_handler || !@return_type.nil?
      end

      def invoke(function, arguments, &block)
        function.send(@method, *woven(arguments), &block)
      end

      private

      # The arguments, with the injected parameters of the function in between.
      def woven(arguments)
        return arguments if @slots.none?(Symbol)

        @slots.flat_map do |slot|
          case slot
          when Integer then slot < arguments.size ? [arguments[slot]] : []
          when Range then arguments[slot] || []
          when :scope_param then [Bunraku.scope]
          when :cache_param then [Bunraku.cache]
          else [Bunraku.scope.compiler]
          end
        end
      end

      def type?(type)
        type.is_a?(String) || type.is_a?(Pops::Types::PAnyType)
      end

      def add(type, name, optional: false, repeated: false)
        raise ArgumentError, 'Parameters cannot be added after a block parameter' if @block
        raise ArgumentError, 'Parameters cannot be added after a repeated parameter' if @maximum.nil?
        raise ArgumentError, "Parameter name argument must be a Symbol. Got #{name.class}" if name.is_a?(String)

        unless type?(type)
          raise ArgumentError,
                "Parameter 'type' must be a String reference to a Puppet Data Type. Got #{type.class}"
        end
        @slots << (repeated ? (@parameters.size..) : @parameters.size)
        @parameters << { 'type' => type, 'name' => name.to_s, 'optional' => optional, 'repeated' => repeated }
      end
    end

    # The base of functions.
    class Function < Pops::Functions::Function
      class << self
        def dispatch(method, &block)
          add_dispatch(method, false, &block)
        end

        def argument_mismatch(method, &block)
          add_dispatch(method, true, &block)
        end

        def local_types(&block)
          LocalTypes.new(type_aliases).instance_eval(&block)
        end

        def add_default_dispatch
          method = name.split('::').last
          unless method_defined?(method)
            raise ArgumentError, 'Function Creation Error, cannot create a default dispatcher for function ' \
                                 "'#{name}', no method with this name found"
          end
          dispatches << Dispatch.new(method, false, false).tap { |one| one.take_all(instance_method(method)) }
        end

        private

        def add_dispatch(method, is_mismatch_handler, &block)
          one = Dispatch.new(method, is_mismatch_handler, self <= InternalFunction)
          one.instance_eval(&block)
          dispatches << one
        end
      end
    end

    # Functions that get the scope of their call.
    class InternalFunction < Function
      def call_function_with_scope(scope, name, *arguments, &block)
        call_in(scope, name, arguments, &block)
      end
    end

    # The methods for `type` in local_types.
    class LocalTypes
      def initialize(aliases)
        @aliases = aliases
      end

      def type(assignment)
        @aliases << assignment
      end
    end
  end

  module Parser
    # The older interface.
    module Functions
      @known = {}
      # Functions defined in the file of another function.
      @beside = {}

      # The error for functions that the older interface cannot call.
      class Error
        def self.is4x(name)
          raise Puppet::ParseError,
                "#{name}() can only be called using the 4.x function API. See Scope#call_function"
        end
      end

      class << self
        attr_reader :known, :beside

        # Calls a function without a file of its own, which became known when another function's
        # file was loaded.
        def call_beside(name, scope, arguments, &block)
          described = beside.fetch(name.to_sym)
          older = arguments.map { |argument| argument.nil? ? '' : Bunraku.legacy_argument(argument) }
          Bunraku.check_count(name, described[:arity], arguments.size)
          result = scope.send("real_function_#{name}", older, &block)
          described[:type] == :rvalue ? result : nil
        end

        def newfunction(name, options = {}, &block)
          name = name.to_sym
          type = options[:type] || :statement
          raise Puppet::DevError, "Invalid statement type #{type.inspect}" unless %i[statement rvalue].include?(type)

          Scope.send(:define_method, "real_function_#{name}", &block)
          @known[name] = { arity: options[:arity] || -1, type: type, name: "function_#{name}" }
        end

        # Functions of the reference.
        BUILT_IN = %w[assert_type binary_file break contain create_resources defined dig digest each epp fail file
                      filter find_file fqdn_rand generate hiera hiera_array hiera_hash hiera_include include inline_epp
                      inline_template lest lookup map match md5 new next realize reduce regsubst require return
                      reverse_each scanf sha1 sha256 shellquote slice split sprintf step strftime tag tagged template
                      then type versioncmp with alert crit debug emerg err info notice warning].freeze

        # Finds functions of this interface only.
        def function(name, _environment = nil)
          name = name.to_s
          found = @known.key?(name.to_sym) || BUILT_IN.include?(name) ||
                  Bunraku::Modules.find("puppet/parser/functions/#{name}")
          found ? "function_#{name}" : false
        end

        def rvalue?(name, _environment = nil)
          @known.key?(name.to_sym) ? @known[name.to_sym][:type] == :rvalue : true
        end

        def arity(name, _environment = nil)
          @known.key?(name.to_sym) ? @known[name.to_sym][:arity] : -1
        end

        def environment_module(*)
          Scope
        end

        def autoloader
          Autoloader
        end
      end

      # Warns of its use, as the reference does.
      module Autoloader
        class << self
          def load(name, *)
            deprecate('load', name)
            delegatee.load(name)
          end

          def loaded?(name)
            deprecate('loaded?', name)
            delegatee.loaded?(name)
          end

          def loadall(*)
            deprecate('loadall')
          end

          def delegatee
            Loading
          end

          private

          def deprecate(method, name = nil)
            return if Puppet[:strict] == :off

            shown = "Puppet::Parser::Functions.autoloader##{method}#{"(\"#{name}\")" if name}"
            Puppet.warn_once('deprecations', shown, "The method '#{shown}' is deprecated in favor of using " \
                                                    "'Scope#call_function'.")
          end
        end
      end

      # Finds functions without loading them; a call loads them.
      module Loading
        @asked = {}

        def self.load(name, *)
          @asked[name.to_sym] = Functions.function(name) ? true : false
        end

        def self.loaded?(name, *)
          Functions.known.key?(name.to_sym) || @asked.fetch(name.to_sym, false)
        end

        def self.forget
          @asked.clear
        end

        def self.loadall(*); end
      end
    end
  end
end

# The contexts in which files are evaluated. Their names appear in messages. They are not nested in
# other modules, which would change the meaning of short constant names.
module Puppet::Pops::Loader; end # rubocop:disable Style/Documentation
class Puppet::Pops::Loader::RubyFunctionInstantiator # rubocop:disable Style/Documentation
  def self.context
    binding
  end
end

class Puppet::Pops::Loader::RubyLegacyFunctionInstantiator # rubocop:disable Style/Documentation
  def self.context
    binding
  end
end

module Bunraku
  # Loaded functions by name and file. A changed file is loaded again.
  module LoadedFunctions
    @known = {}

    # A loaded function and the state of its file when it was loaded: an instance of its class or,
    # for the older interface, its description.
    Entry = Struct.new(:stamp, :function, :changes) do
      def type
        @type ||= function.class
      end

      def forget
        return if function.nil? || function.is_a?(Hash)

        type
        self.function = nil
      end
    end

    class << self
      def fetch(name, file)
        stamp = File.mtime(file)
        entry = @known[file]
        unless entry && entry.stamp == stamp
          source = File.read(file)
          function = Isolation.loading { yield(name, file, source) }
          entry = @known[file] = Entry.new(stamp, function, Snapshot.needed_for?(source))
        end
        entry.function ||= entry.type.instance
      end

      # Reports the arguments that the function of the file changes in place during the block. `first` is the number of
      # the first argument in the request. Changes of the options of a look-up have no effect.
      def reporting_changes(file, first, arguments)
        return yield unless @known[file]&.changes && arguments.none?(ObjectValue::LookupContext)

        before = Snapshot.new(arguments.each_with_index.to_h { |argument, index| [first + index, argument] })
        result = yield
        changes = before.changes
        Bunraku.ask('arguments.change', changes) unless changes.empty?
        result
      end

      # Drops state that functions keep, which the next compilation must not see.
      def forget
        @known.each_value(&:forget)
      end

      def load(name, file, source)
        unless source.include?('Puppet::Functions.create_function')
          raise ArgumentError, "The code loaded from #{file} does not seem to be a Puppet 4x API function - " \
                               'no create_function call.'
        end
        created = eval(source, Puppet::Pops::Loader::RubyFunctionInstantiator.context, file, 1)
        unless created.is_a?(Class)
          raise ArgumentError, "The code loaded from #{file} did not produce a Function class when evaluated. " \
                               "Got '#{created.class}'"
        end
        created.file = file
        Isolation.watch(created)
        return created.instance if created.name == name

        raise ArgumentError, "The code loaded from #{file} produced mis-matched name, expected '#{name}', " \
                             "got #{created.name}"
      end

      def load_3x(name, file, source)
        check_3x(file, source)
        functions = Puppet::Parser::Functions
        before = functions.known.dup
        answer = eval(source, Puppet::Pops::Loader::RubyLegacyFunctionInstantiator.context, file, 1)
        functions.known.each { |one, made| functions.beside[one] = made unless before[one].equal?(made) || one == name.to_sym }
        unless answer.is_a?(Hash)
          raise ArgumentError, "Illegal legacy function definition! The code loaded from #{file} did not return " \
                               "the result of calling 'newfunction'. Got '#{answer.class}'"
        end
        return answer if answer[:name] == "function_#{name}"

        raise ArgumentError, "The code loaded from #{file} produced mis-matched name, expected " \
                             "'function_#{name}', got '#{answer[:name]}'"
      end

      private

      # Methods that a file defines beside the function would become methods of every object.
      def check_3x(file, source)
        unless source.include?('newfunction')
          raise ArgumentError, "The code loaded from #{file} does not seem to be a Puppet 3x API function - " \
                               "no 'newfunction' call."
        end
        return unless source.match?(/^\s*def\b/)

        require 'ripper'
        name, line = method_in(Ripper.sexp(source))
        return if name.nil?

        raise SecurityError, "Illegal method definition of method '#{name}' in source #{file} on line #{line} in " \
                             'legacy function. See ' \
                             'https://puppet.com/docs/puppet/latest/functions_refactor_legacy.html ' \
                             'for more information'
      end

      def method_in(tree)
        return nil unless tree.is_a?(Array)

        if %i[def defs].include?(tree[0])
          name = tree.find { |part| part.is_a?(Array) && part[0] == :@ident }
          return [name ? name[1] : '<unknown>', name ? name[2][0] : '<unknown>']
        end
        tree.each do |part|
          found = method_in(part)
          return found if found
        end
        nil
      end
    end
  end

  # Converts an argument for the older interface, where references are resources.
  def self.legacy_argument(value)
    case value
    when Array then value.map { |item| legacy_argument(item) }
    when Hash then value.to_h { |key, item| [legacy_argument(key), legacy_argument(item)] }
    when Puppet::Pops::Types::PResourceType then Puppet::Resource.new(value.type_name, value.title || '')
    when Puppet::Pops::Types::PClassType then Puppet::Resource.new('Class', value.class_name)
    else value
    end
  end

  on('functions.load') do |name, file|
    function = LoadedFunctions.fetch(name, file) { |*found| LoadedFunctions.load(*found) }.class
    { 'dispatches' => function.dispatches.map(&:description), 'local_types' => function.type_aliases,
      'overrides_call' => function.instance_method(:call).owner != Puppet::Pops::Functions::Function }
  end

  on('functions.call_own') do |name, file, *arguments, &block|
    function = LoadedFunctions.fetch(name, file) { |*found| LoadedFunctions.load(*found) }
    LoadedFunctions.reporting_changes(file, 2, arguments) { function.call(scope, *arguments, &block) }
  end

  # The part of a function that has already run natively: the results of the functions that it
  # called, and the names of variables that it set and the repetition has not set yet.
  module PartlyRun
    class << self
      attr_reader :results, :set

      def with(results, set)
        outer = [@results, @set]
        @results = results
        @set = set
        yield
      ensure
        @results, @set = outer
      end

      # Returns the result of the next repeated call, or otherwise of the block.
      def result_or
        @results.nil? || @results.empty? ? yield : @results.shift
      end
    end
  end

  on('functions.call') do |results, set, name, file, number, *arguments, &block|
    function = LoadedFunctions.fetch(name, file) { |*found| LoadedFunctions.load(*found) }
    LoadedFunctions.reporting_changes(file, 5, arguments) do
      PartlyRun.with(results, set) { function.class.dispatches[number].invoke(function, arguments, &block) }
    end
  end

  at_end { Puppet::Parser::Functions::Loading.forget }
  at_end { LoadedFunctions.forget }

  on('functions.load_3x') do |name, file|
    answer = LoadedFunctions.fetch(name, file) { |*found| LoadedFunctions.load_3x(*found) }
    { 'arity' => answer[:arity] }
  end

  # Calls an older function in the scope of the request, or in another one.
  def self.call_3x(name, file, arguments, in_scope = scope, &block)
    answer = LoadedFunctions.fetch(name, file) { |*found| LoadedFunctions.load_3x(*found) }
    check_count(name, answer[:arity], arguments.size)
    result = in_scope.send("real_function_#{name}", arguments, &block)
    answer[:type] == :rvalue ? result : nil
  end

  def self.check_count(name, arity, count)
    return if arity >= 0 ? count == arity : count >= -arity - 1

    wanted = arity >= 0 ? arity : "minimum #{-arity - 1}"
    raise ArgumentError, "#{name}(): Wrong number of arguments given (#{count} for #{wanted})"
  end

  on('functions.call_3x') do |results, set, name, file, *arguments, &block|
    PartlyRun.with(results, set) { call_3x(name, file, arguments.map { |argument| legacy_argument(argument) }, &block) }
  end
end
