# Providers: implementations of a resource type, with the conditions under which a host supports
# them and the commands that they run.

# frozen_string_literal: true

module Puppet
  # Conditions of a provider. All must hold for it to be suitable, or for it to be the default.
  class Confines
    Condition = Struct.new(:kind, :name, :values, :block, :for_binary) do
      def hold?
        result = holds?
        result = false if result.nil?
        result
      end

      private

      def holds?
        found = block ? Array(block.call) : values
        case kind
        when :true then found.all? { |one| one.respond_to?(:call) ? one.call : one }
        when :false then found.none? { |one| one.respond_to?(:call) ? one.call : one }
        when :exists then found.all? { |one| for_binary ? Puppet::Util.which(one.to_s) : one && File.exist?(one.to_s) }
        when :feature then found.all? { |one| Puppet.features.public_send(:"#{one}?") }
        when :any then found.any?
        else found.any? { |one| one.to_s.downcase == value_of_name }
        end
      end

      # The value of the setting, or otherwise of the fact; empty when there is neither.
      def value_of_name
        (Puppet.settings.include?(name) ? Puppet[name] : Facter.value(name.to_s)).to_s.downcase
      end
    end

    attr_reader :conditions

    def initialize
      @conditions = []
    end

    def add(given, &block)
      if block
        @conditions << Condition.new(Array(given).first.to_sym == :true ? :true : given, given, nil, block, false)
        return
      end
      given = given.dup
      for_binary = given.delete(:for_binary) || false
      given.each do |name, values|
        name = name.to_sym
        kind = %i[true false exists feature any].include?(name) ? name : :fact
        @conditions << Condition.new(kind, name, values.is_a?(Array) ? values : [values], nil, for_binary)
      end
    end

    def hold?
      @conditions.all?(&:hold?)
    end
    alias valid? hold?
  end

  # A command that a provider runs.
  class ProviderCommand
    attr_reader :name, :executable, :custom_environment
    attr_accessor :optional

    def initialize(name, executable)
      @name = name
      @executable = executable
      @custom_environment = {}
    end

    def is_optional # rubocop:disable Naming/PredicateName
      @optional = true
    end

    def environment(values)
      @custom_environment = @custom_environment.merge(values)
    end

    def execute(*arguments)
      path = Puppet::Util.which(@executable) or raise Puppet::MissingCommand, "Command #{@name} is missing"
      Puppet::Util::Execution.execute([path, *arguments],
                                      failonfail: true, combine: true, custom_environment: @custom_environment)
    end
  end

  # A provider: a class for each, an instance for each resource.
  class Provider
    include Util
    include Util::Errors
    include Util::Warnings
    include Util::Logging
    extend Util
    extend Util::Errors
    extend Util::Warnings
    extend Util::Logging
    include Comparable

    class << self
      attr_accessor :resource_type, :doc
      attr_writer :source

      def name
        @provider_name || super
      end

      # Sets the name, for provider classes that modules create themselves.
      attr_writer :provider_name

      def begin_provider(name, type)
        @provider_name = name
        @resource_type = type
        initvars
      end

      def inherited(other)
        super
        other.resource_type = resource_type
        other.initvars
      end

      def initvars
        @defaults = []
        @not_defaults = []
        @commands = {}
        @features = []
        @confines = Confines.new
      end

      def to_s
        return super if @provider_name.nil?

        "Puppet::Type::#{Bunraku::Apply.constant_name(resource_type.name)}::Provider#{Bunraku::Apply.constant_name(name)}"
      end

      def source
        @source || name
      end

      def desc(text)
        @doc = text
      end

      # --- conditions ---

      def confine(given, &block)
        confines.add(given, &block)
      end

      def confines
        @confines ||= Confines.new
      end
      alias confine_collection confines

      def defaultfor(*given)
        @defaults.concat(given)
      end

      def notdefaultfor(*given)
        @not_defaults.concat(given)
      end

      def default?
        !default_match.nil?
      end

      def default_match
        return nil if @not_defaults.any? { |one| matches?(one) }

        @defaults.find { |one| matches?(one) }
      end

      # A list in place of a hash, as in `defaultfor ['os.name' => :debian]`, is accepted and matches nothing.
      def matches?(given)
        given.all? do |name, values|
          name == :feature ? Puppet.features.public_send(:"#{values}?") : fact_among?(name, values)
        end
      end

      def fact_among?(name, values)
        fact = Facter.value(name.to_s).to_s.downcase
        return false if fact.empty?

        (values.is_a?(Array) ? values : [values]).any? do |one|
          one.is_a?(Regexp) ? one.match?(fact) : one.to_s.downcase == fact
        end
      end
      private :matches?, :fact_among?

      def specificity
        matched = default_match
        pairs = matched ? matched.size : 0
        (pairs * 100) + ancestors.count { |one| one.is_a?(Class) }
      end

      # Conditions of parent classes are not checked.
      def suitable?(short = true)
        held = confines.hold?
        short ? held : (held ? {} : { 'confine' => false })
      end

      # --- commands ---

      def has_command(name, path, &block) # rubocop:disable Naming/PredicateName
        name = name.to_sym
        command = ProviderCommand.new(name, path)
        command.instance_eval(&block) if block
        @commands[name] = command
        confine(exists: path, for_binary: true) unless command.optional
        create_class_and_instance_method(name) { |*arguments| command.execute(*arguments) }
      end

      def commands(names)
        names.each { |name, path| has_command(name, path) }
      end

      def optional_commands(names)
        names.each { |name, path| has_command(name, path) { is_optional } }
      end

      def command(name)
        known = ancestors.grep(Class).take_while { |one| one <= Provider }
                         .filter_map { |one| one.own_commands[name.to_sym] }.first
        raise Puppet::DevError, "No command #{name} defined for provider #{self.name}" if known.nil?

        which(known.executable) or raise Puppet::Error, "Command #{name} is missing"
      end

      def has_command?(name) # rubocop:disable Naming/PredicateName
        own_commands.key?(name.to_sym)
      end

      def own_commands
        @commands ||= {}
      end

      def create_class_and_instance_method(name, &block)
        define_singleton_method(name, &block) unless singleton_methods(false).include?(name)
        define_method(name) { |*arguments| self.class.public_send(name, *arguments) } unless method_defined?(name, false)
      end

      # --- features ---

      def has_features(*names) # rubocop:disable Naming/PredicateName
        names.each do |name|
          @features << name.to_sym unless @features.include?(name.to_sym)
        end
      end
      alias has_feature has_features

      # The features that this class declares; a child class does not inherit them.
      def declared_features
        @features
      end

      def declared_feature?(name)
        declared_features.include?(name.to_sym)
      end

      def feature?(name)
        name = name.to_sym
        declared_feature?(name) || !!resource_type&.provider_feature(name)&.available?(self)
      end

      def features
        resource_type.features.select { |name| feature?(name) } | declared_features
      end

      def satisfies?(*needed)
        needed.flatten.all? { |name| feature?(name) }
      end

      def supports_parameter?(attribute)
        attribute = resource_type.attrclass(attribute) || raise(Puppet::DevError, "Invalid parameter") unless attribute.is_a?(Class)
        satisfies?(*Array(attribute.required_features))
      end

      # --- resources ---

      def instances
        raise Puppet::DevError, "To support listing resources of this type the '#{name}' provider needs to implement an " \
                                "'instances' class method returning the current set of resources."
      end

      # Defines a getter and a setter of each attribute, over the known state of the resource.
      def mk_resource_methods
        (resource_type.validproperties + resource_type.parameters).each do |name|
          next if name == :name

          define_method(name) do
            value = @property_hash[name]
            value.nil? ? :absent : value
          end
          define_method(:"#{name}=") { |value| @property_hash[name] = value }
        end
      end

      def execute(*arguments)
        Util::Execution.execute(*arguments)
      end

      def execpipe(*arguments, &block)
        Util::Execution.execpipe(*arguments, &block)
      end

      def execfail(*arguments)
        Util::Execution.execfail(*arguments)
      end
    end

    initvars

    attr_accessor :resource
    attr_reader :property_hash

    # Makes a provider of a resource, or of the known state of one.
    def initialize(resource = nil)
      if resource.is_a?(Hash)
        # Not a copy: record providers change the hash in place.
        @property_hash = resource
      else
        @resource = resource
        @property_hash = {}
      end
    end

    def name
      found = @property_hash[:name]
      return found unless found.nil?
      return @resource.name if @resource

      raise Puppet::DevError, 'No resource and no name in property hash in %s instance' % self.class.name
    end

    def get(name)
      value = @property_hash[name.to_sym]
      value.nil? ? :absent : value
    end

    def set(values)
      values.each { |name, value| @property_hash[name.to_sym] = value }
    end

    def clear
      @resource = nil
    end

    def command(name)
      self.class.command(name)
    end

    %i[execute execpipe execfail].each do |name|
      define_method(name) { |*arguments, &block| self.class.public_send(name, *arguments, &block) }
    end

    def feature?(name)
      self.class.feature?(name)
    end

    def features
      self.class.features
    end

    def satisfies?(*names)
      self.class.satisfies?(*names)
    end

    def declared_feature?(name)
      self.class.declared_feature?(name)
    end

    def to_s
      "#{@resource}(provider=#{self.class.name})"
    end
    alias inspect to_s

    def <=>(other)
      return nil if other.class != self.class

      name <=> other.name
    end

    # Base classes that modules inherit from.
    class Package < Provider
      def self.prefetch(packages)
        instances.each { |one| packages[one.name].provider = one if packages.key?(one.name) }
      end

      # The state of the package. A missing package is purged if the provider can purge, and absent otherwise.
      def properties
        if @property_hash.empty?
          found = query
          @property_hash = found.nil? || found.empty? ? { ensure: self.class.feature?(:purgeable) ? :purged : :absent } : found
        end
        @property_hash.dup
      end

      def flush
        @property_hash.clear
      end

      def validate_source(_value)
        true
      end

      def join_options(options)
        options&.flat_map do |one|
          one.is_a?(Hash) ? one.keys.sort.map { |key| "#{key}=#{one[key]}" } : [one]
        end
      end
    end
  end
end
