# Scopes for module code; the compiler answers look-ups.

# frozen_string_literal: true

Bunraku.use('functions')

module Puppet
  module Parser
    # A scope of the compilation, by its number.
    class Scope
      include Util::Errors

      attr_reader :number

      UNCAUGHT_THROW_EXCEPTION = UncaughtThrowError

      @known = {}
      @setters = []

      class << self
        def numbered(number)
          @known[number] ||= new(number)
        end

        def forget
          @known.clear
          @setters.clear
        end

        # Scopes in which Ruby code has set objects that it may change.
        attr_reader :setters

        def report_changes
          @setters.each(&:report_changes)
        end

        def environment
          Node::Environment.current
        end

        # The number in the text, or nil.
        def number?(text)
          return text if text.is_a?(Numeric)

          case text
          when /\A-?(?:0|[1-9]\d*)\z/ then text.to_i
          when /\A-?0x\h+\z/i then text.hex
          when /\A-?0[0-7]+\z/ then text.oct
          when /\A-?\d+(?:\.\d+)?(?:e-?\d+)?\z/i then text.to_f
          end
        end

        def true?(value)
          !(value.nil? || value == '' || value == :undef || value == false)
        end
      end

      def initialize(number)
        @number = number
      end

      def ask(name, *arguments, &block)
        Bunraku.ask_in(@number, name, arguments, block)
      end

      # --- variables ---

      # Returns [value], or nil when there is no such variable.
      def find_variable(name)
        return nil if Bunraku::PartlyRun.set&.include?(name)

        Bunraku.find_variable(@number, name)
      end

      def lookupvar(name, _options = {})
        unless name.is_a?(String)
          raise Puppet::ParseError, "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end
        return ask('variable.match', name.to_i) if name.match?(/\A\d+\z/)

        found = find_variable(name)
        return variable_not_found(name) unless found

        value = found[0]
        known = @own && @own[name]
        return known.value if known && known.sent == value

        keep(name, value) if (value.is_a?(Hash) || value.is_a?(Array)) && value.size <= SMALL
        value
      end
      alias [] lookupvar

      def lookup_qualified_variable(class_name, variable, _options = {})
        self["#{class_name}::#{variable}"]
      end

      def exist?(name)
        !find_variable(name.to_s).nil?
      end

      def include?(name)
        found = find_variable(name.to_s)
        found ? !found[0].nil? : false
      end

      def bound?(name)
        exist?(name)
      end

      # With false as the first argument, without the variables of outer scopes.
      def to_hash(recursive = true, include_undef = false)
        variables = ask(recursive ? 'variable.all' : 'variable.own')
        include_undef ? variables : variables.compact
      end

      def to_hash_legacy(*)
        to_hash
      end

      def []=(name, value)
        setvar(name, value)
      end

      # A small hash or array, or a value that Ruby code has set, and the value that the compiler has. Look-ups
      # return the same object again, so that changes of it stay visible.
      Own = Struct.new(:value, :sent, :copy)
      SMALL = 8

      def setvar(name, value, _options = {})
        unless name.is_a?(String)
          raise "Scope variable name #{name.inspect} is a #{name.class}, not a string"
        end

        is_set = Bunraku::PartlyRun.set&.delete(name) || (defined?(Bunraku::Replay) && Bunraku::Replay.set&.include?(name))
        sent = ask(is_set ? 'variable.replace' : 'variable.set', name, value)
        (@own ||= {})[name.to_s] = Own.new(value, sent)
        return value unless value.is_a?(Hash) || value.is_a?(Array)

        Scope.setters << self unless @set
        (@set ||= []) << name.to_s
        value
      end

      def each(&block)
        to_hash.each(&block)
      end

      def has_local_variable?(name)
        exist?(name)
      end

      # Sends changed objects, so that the called code sees their current content.
      def report_changes
        @set.each do |name|
          own = @own[name]
          next if own.value == (own.copy || own.sent)

          # Some objects differ after the way to the compiler and back.
          own.sent = ask('variable.replace', name, own.value)
          own.copy = Marshal.load(Marshal.dump(own.value))
        end
      end

      # The resource defaults of a type by name, as parameters.
      def lookupdefaults(type)
        ask('catalog.defaults', type.to_s).to_h do |name, value|
          [name.to_sym, Resource::Param.new(name: name.to_sym, value: value)]
        end
      end

      def undef_as(default, value)
        value.nil? ? default : value
      end

      # --- calls ---

      def call_function(name, arguments, &block)
        Bunraku::PartlyRun.result_or do
          report_changes if @set
          if Functions.beside.key?(name.to_sym) && !ask('function.exists', name.to_s)
            next Functions.call_beside(name, self, arguments, &block)
          end

          ask('function.call', name.to_s, *arguments, &block)
        end
      end

      def respond_to_missing?(name, include_all = false)
        return super unless name.start_with?('function_')

        name = name.to_s.delete_prefix('function_')
        Functions.known.key?(name.to_sym) || ask('function.exists', name) || super
      end

      # function_x([arguments...])
      def method_missing(name, *arguments, &block)
        return super unless name.start_with?('function_')

        unless arguments.size == 1 && arguments[0].is_a?(Array)
          raise ArgumentError,
                'custom functions must be called with a single array that contains the arguments. ' \
                'For example, function_example([1]) instead of function_example(1)'
        end
        begin
          call_older(name.to_s.delete_prefix('function_'), arguments[0], &block)
        rescue Puppet::Error, ::ArgumentError
          respond_to_missing?(name) ? raise : super
        end
      end

      # Functions of the reference that its older interface knows but refuses to call.
      ONLY_CURRENT = %w[assert_type binary_file break defined dig each epp filter find_file hiera hiera_array hiera_hash
                        hiera_include inline_epp lest lookup map match new next reduce regsubst return reverse_each
                        slice split step strftime then type with].freeze
      DISCOURAGED = %w[include require contain].freeze

      def call_older(name, arguments, &block)
        # The compiler is notified that the function is used.
        file = Bunraku::Modules.find_cached("puppet/parser/functions/#{name}") { ask('function.exists', name) }
        Functions::Error.is4x(name) if ONLY_CURRENT.include?(name) && !file
        # A call within Ruby: the arguments are not converted, and newer functions of the name are
        # ignored.
        return Bunraku.call_3x(name, file, arguments, self, &block) if file
        # A function defined in the file of another function.
        return send("real_function_#{name}", arguments, &block) if Functions.known.key?(name.to_sym)
        return Puppet::Util::Package.versioncmp(*arguments.first(2)) if name == 'versioncmp'

        result = call_function(name, arguments, &block)
        return result unless DISCOURAGED.include?(name)

        Puppet.warn_once('deprecations', "3xfunction##{name}", "Calling function_#{name} via the Scope class is " \
                                                               'deprecated. Use Scope#call_function instead')
        name == 'contain' ? result : nil
      end

      # --- where it is ---

      def environment
        Node::Environment.current
      end

      def environment_name
        environment.name
      end

      def to_s
        "Scope(#{resource})"
      end
      alias inspect to_s

      def is_topscope?
        @number.zero?
      end

      def is_classscope?
        resource.type == 'Class'
      end

      def is_nodescope?
        false
      end

      BUILT_IN = %w[module_name caller_module_name].freeze

      # Returns nil, or warns or raises as the setting `strict` demands.
      def variable_not_found(name)
        return nil if BUILT_IN.include?(name)

        begin
          throw(:undefined_variable, nil)
        rescue UncaughtThrowError
          shown, reason = qualified_failure(name)
          message = "Undefined variable '#{shown}'; #{reason}"
          case Puppet[:strict]
          when :warning then Puppet.warn_once('undefined_variables', "Variable: #{shown}", message)
          when :error then raise ::ArgumentError, message
          end
          nil
        end
      end

      private

      def keep(name, value)
        (@own ||= {})[name] = Own.new(value, Marshal.load(Marshal.dump(value)))
      rescue TypeError
        nil
      end

      # The qualified name of a variable, and the reason why it is missing.
      def qualified_failure(name)
        return [name, nil] unless name.include?('::')

        name = name.delete_prefix('::')
        class_name, _, leaf = name.rpartition('::')
        return ["::#{name}", nil] if class_name.empty?
        return [name, "class #{class_name} could not be found"] unless known_resource_types.find_hostclass(class_name)

        searched = class_scope(class_name)
        return [name, "class #{class_name} has not been evaluated"] unless searched

        # It is missing in the last class that was searched.
        while (inherited = searched.inherited_scope) do searched = inherited end
        ["::#{searched['title']}::#{leaf}", nil]
      end

      public

      Puppet::LEVELS.each do |level|
        define_method(level) { |*texts| ask('log', level.to_s, texts.join(' '), to_s) }
      end
    end
  end
end

Bunraku.at_end { Puppet::Parser::Scope.forget }
