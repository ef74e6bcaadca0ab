# Isolation of compilations: changes that the code of one makes to the process are not visible to
# the next. Changes that can be undone are undone; after other changes the worker ends, and the next
# compilation gets another one.
#
# Loading a file has the same effect whichever node needs it first, so constants and classes of
# modules may stay. The checks look for other changes: methods that modules add to Ruby's own classes,
# constants that are defined or replaced while functions run, variables of modules' classes that
# change after their file was loaded, threads, processes, signal handlers and limits.

# frozen_string_literal: true

module Bunraku
  module Isolation
    # The classes and modules of Ruby itself; this file is loaded before any other.
    CORE = {}.compare_by_identity
    ObjectSpace.each_object(Module) { |one| CORE[one] = true }

    GROWN = [Object, Kernel, Module, Class, Comparable, Enumerable, String, Symbol, Integer, Float, Array, Hash, NilClass,
             Regexp, Time].freeze
    # The reference always has these names loaded: $CHILD_STATUS for $? and the like.
    own_variables = global_variables
    require 'English'
    ENGLISH_NAMES = global_variables - own_variables
    # Variables of a thread, method or the process, and variables that cannot be set.
    UNWATCHED = %i[$~ $_ $! $@ $& $` $' $+ $. $< $> $? $$ $* $: $-I $LOAD_PATH $" $LOADED_FEATURES $FILENAME $-p $-l $-a $-W
                   $SAFE $KCODE $-K $= $-i $stdin $bunraku_io $bunraku_prelude].concat(ENGLISH_NAMES).freeze
    LIMITS = %i[NOFILE CPU AS FSIZE NPROC STACK].select { |name| Process.const_defined?(:"RLIMIT_#{name}") }.freeze
    # Bounds of the comparison by content: deeper values are compared by size or identity, and of longer ones
    # only the first items.
    DEEPEST = 4
    LONGEST = 10_000

    @state = {}.compare_by_identity # variables of modules' classes, when their file was loaded
    @opened = {}.compare_by_identity
    @depth = 0

    class << self
      # Records the state of the process that every compilation starts with.
      def begin
        @directory = working_directory
        @mask = File.umask
        @environment = ENV.to_h
        @encodings = [Encoding.default_external, Encoding.default_internal]
        @globals = (global_variables - UNWATCHED).to_h { |name| [name, global(name)] }
        @ancestors = GROWN.map(&:ancestors)
        @limits = limits
        @threads = Thread.list
        take_constants
        TracePoint.new(:class) { |point| @opened[point.self] = true if from_module?(point.path) }.enable
      end

      # Runs the block, which loads files.
      def loading
        check_constants if @depth.zero?
        @depth += 1
        yield
      ensure
        settle if (@depth -= 1).zero?
      end

      # Watches a class of a function or type that has been loaded.
      def watch(one)
        @opened[one] = true
      end

      # Notes a change that cannot be undone.
      def taint(reason)
        @reason ||= reason
      end

      def method_changed(owner, place)
        return unless CORE.key?(owner)

        places = place ? [place] : caller_locations(2, 4).map(&:absolute_path).compact
        taint("a method of #{owner}") if places.any? { |path| from_module?(path) }
      end

      # Undoes changes. Returns false when this process must not be used again.
      def end
        check_constants
        check_constant_values
        check_variables
        check_ancestors
        taint('a thread') if (Thread.list - @threads).any? { |one| one.name != 'Timeout stdlib thread' }
        taint('a process') if end_children
        taint('a limit') if limits != @limits
        restore
        @reason.nil?
      end

      private

      def from_module?(path)
        path && Modules.libraries.any? { |library| path.start_with?(library) }
      end

      # --- constants and variables ---

      def take_constants
        @constants = Object.constants
        # Constants that are not loaded yet have no value to compare.
        @values = @constants.reject { |name| Object.autoload?(name) }.to_h { |name| [name, Object.const_get(name).__id__] }
      end

      def check_constants
        taint('a constant') if @constants && Object.constants != @constants
      end

      def check_constant_values
        @values.each do |name, id|
          # Constants of Kernel are among them.
          same = Object.const_defined?(name) && Object.const_get(name).__id__ == id
          taint("the constant #{name}") unless same || Object.autoload?(name)
        end
      end

      def settle
        take_constants unless @constants == Object.constants
        @opened.each_key { |one| @state[one] = state_of(one) }
        @opened.clear
      end

      def check_variables
        @state.each do |one, state|
          return taint("variables of #{one.inspect}") if state_of(one) != state
        end
      end

      def state_of(one)
        variables = (VARIABLES.bind_call(one) - OWN).map { |name| [name, print_of(VARIABLE.bind_call(one, name), DEEPEST)] }
        shared = one.class_variables(false).map { |name| [name, print_of(one.class_variable_get(name), DEEPEST)] }
        constants = one.constants(false).reject { |name| one.autoload?(name) }.map do |name|
          [name, print_of(one.const_get(name, false), DEEPEST)]
        end
        [variables, shared, constants].hash
      rescue StandardError
        0
      end

      VARIABLES = Kernel.instance_method(:instance_variables)
      VARIABLE = Kernel.instance_method(:instance_variable_get)
      # Variables that the prelude itself keeps in classes of functions.
      OWN = %i[@func_name @file @dispatches @type_aliases].freeze

      # A fingerprint of a value: equal for values of equal content.
      def print_of(value, depth)
        case value
        when String, Symbol, Numeric, true, false, nil then value.hash
        when Module, Proc, Method, UnboundMethod, Regexp, IO then value.__id__
        when Array then depth.zero? ? value.size : [value.size, value.first(LONGEST).map { |item| print_of(item, depth - 1) }].hash
        when Hash then depth.zero? ? value.size : [value.size, value.first(LONGEST).map { |pair| print_of(pair, depth - 1) }].hash
        else
          names = VARIABLES.bind_call(value)
          return value.__id__ if depth.zero? || names.empty?

          [value.__id__, names.map { |name| print_of(VARIABLE.bind_call(value, name), depth - 1) }].hash
        end
      rescue NoMethodError, TypeError # of a BasicObject
        0
      end

      # Ruby's own libraries also extend core classes when they are loaded.
      def check_ancestors
        GROWN.each_with_index do |one, i|
          added = one.ancestors - @ancestors[i]
          taint("the class #{one}") if added.any? { |other| other.name.nil? || @state.key?(other) || @opened.key?(other) }
        end
      end

      # --- the process ---

      def limits
        LIMITS.map { |name| Process.getrlimit(name) }
      end

      def working_directory
        Dir.pwd
      rescue SystemCallError
        nil # it has been removed
      end

      def restore
        Dir.chdir(@directory) if @directory
        File.umask(@mask)
        ENV.replace(@environment) unless ENV.to_h == @environment
        Encoding.default_external, Encoding.default_internal = @encodings unless
          [Encoding.default_external, Encoding.default_internal] == @encodings
        restore_globals
        Thread.current.keys.each { |key| Thread.current[key] = nil unless key.to_s.start_with?('__') }
        srand
      rescue SystemCallError
        taint('the directory')
      end

      def restore_globals
        (global_variables - UNWATCHED).each do |name|
          set_global(name, @globals[name]) unless global(name) == @globals[name]
        end
      end

      def global(name)
        eval(name.to_s)
      end

      def set_global(name, value)
        @value = value
        eval("#{name} = @value")
      rescue NameError
        taint("the variable #{name}")
      end

      # Kills running processes that code has started: children, and orphans, which have become
      # children of this process's parent. Returns whether there were any.
      def end_children
        children = children_of('self') + children_of(Process.ppid).reject { |one| one == Process.pid }
        children.each { |one| kill(one) }
        loop { break unless Process.wait(-1, Process::WNOHANG) }
        !children.empty?
      rescue Errno::ECHILD
        !children.empty?
      end

      def kill(process)
        Process.kill(:KILL, process)
      rescue SystemCallError
        nil
      end

      def children_of(process)
        Dir.glob("/proc/#{process}/task/*/children").flat_map { |file| File.read(file).split.map(&:to_i) }
      rescue SystemCallError
        []
      end
    end

    # Notes methods that modules add to Ruby's own classes.
    module Watch
      private

      def method_added(name)
        Isolation.method_changed(self, instance_method(name).source_location&.first)
        super
      end

      def method_removed(name)
        Isolation.method_changed(self, nil)
        super
      end

      def method_undefined(name)
        Isolation.method_changed(self, nil)
        super
      end

      def singleton_method_added(name)
        Isolation.method_changed(self, singleton_class.instance_method(name).source_location&.first)
        super
      end
    end

    # Signal handlers.
    module Traps
      def trap(*arguments, &block)
        Isolation.taint('a signal handler')
        super
      end
    end
  end
end
