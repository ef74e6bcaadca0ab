# Attributes of resource types where they are applied: parameters and properties, the words that
# they allow, and how values are checked, converted, compared and shown.

# frozen_string_literal: true

module Puppet
  # The words and patterns that an attribute allows. Without any, all values are allowed.
  class Values
    # An allowed word: its symbol or pattern, its aliases, its options, and its block.
    Word = Struct.new(:name, :aliases, :options, :block) do
      def regexp?
        name.is_a?(Regexp)
      end

      def match?(value)
        return regexp? && name.match?(value.to_s) if regexp? || value.is_a?(Regexp)

        word = Values.word_of(value)
        name == word || aliases.include?(word)
      end

      def to_s
        regexp? ? name.inspect : name.to_s
      end
    end

    def self.word_of(value)
      value.is_a?(Symbol) ? value : value.to_s.to_sym
    end

    def initialize
      @words = []
      @listed = []
    end

    def add(name, options = {}, &block)
      name = Values.word_of(name) unless name.is_a?(Regexp)
      @words.reject! { |one| one.name == name }
      @words << Word.new(name, [], options, block)
      @listed << @words.last
      @words.last
    end
    alias newvalue add

    def newvalues(*names)
      names.each { |name| add(name) }
    end

    def aliasvalue(other, name)
      word = @words.find { |one| one.name == Values.word_of(name) }
      raise Puppet::DevError, "Cannot alias nonexistent value #{name}" if word.nil?

      word.aliases << Values.word_of(other)
    end

    def empty?
      @words.empty?
    end

    # Words and patterns are listed as often as they were added.
    def values
      @listed.reject(&:regexp?).map(&:name)
    end

    def regexes
      @listed.select(&:regexp?).map(&:to_s)
    end

    # Exact words take precedence over patterns.
    def match(value)
      @words.find { |one| !one.regexp? && one.match?(value) } || @words.find { |one| one.regexp? && one.match?(value) }
    end
    alias match? match
    alias value match

    def check(value)
      return if empty? || match(value)

      message = "Invalid value #{value.inspect}."
      message += " Valid values are #{values.join(', ')}." unless values.empty?
      message += " Valid values match #{regexes.join(', ')}." unless regexes.empty?
      raise ::ArgumentError, message
    end
    alias validate check

    def munge(value)
      word = match(value)
      word.nil? || word.regexp? ? value : word.name
    end
  end

  # An attribute: a class for each of a type, an instance for each of a resource.
  class Parameter
    ValueCollection = Values

    include Util
    include Util::Errors
    include Util::Logging
    include Util::MethodHelper

    class << self
      attr_accessor :metaparam, :unmanaged, :resource_type, :boolean
      attr_reader :doc, :required_features
      attr_writer :attribute_name

      def name
        @attribute_name || super
      end

      # The allowed words of this class.
      def value_collection
        @value_collection ||= Values.new
      end

      def initvars
        @value_collection = Values.new
      end

      def inherited(other)
        super
        other.initvars
      end

      def values
        value_collection
      end

      def desc(text)
        @doc = text
      end

      def isnamevar(_value = true)
        @isnamevar = true
      end
      alias isnamevar= isnamevar

      def isnamevar?
        !!@isnamevar
      end
      alias namevar? isnamevar?

      def isrequired(_value = true)
        @required = true
      end

      def required?
        !!@required
      end

      def metaparam?
        !!@metaparam
      end

      def proxymethods(*names)
        names.each { |name| define_method(name) { |*arguments| @resource.public_send(name, *arguments) } }
      end

      def defaultto(value = nil, &block)
        return define_method(:default, &block) if block
        raise Puppet::DevError, "Either a default value or block must be provided" if value.nil?

        define_method(:default) { value }
      end

      def nodefault
        undef_method(:default) if method_defined?(:default)
      end

      def sensitive(value = nil, &block)
        if block
          define_method(:sensitive, &block)
        else
          define_method(:sensitive) { value }
        end
      end

      def munge(&block)
        define_method(:unsafe_munge, &block)
      end

      def unmunge(&block)
        define_method(:unmunge, &block)
      end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      def newvalues(*names)
        value_collection.newvalues(*names)
      end

      def aliasvalue(name, other)
        value_collection.aliasvalue(name, other)
      end

      def required_features=(names)
        @required_features = Array(names).map(&:to_sym)
      end
      # The assignment form for class bodies.
      alias required_feature= required_features=

      # The text of a value in messages. Objects that are not data are shown by their to_s.
      def format_value_for_display(value)
        case value
        when nil, true, false, Integer, Float, Symbol, String, Array, Hash
          Bunraku.ask('apply.display', Bunraku::Apply.plain(value))
        else value.to_s
        end
      end
    end

    attr_accessor :resource, :parent

    def initialize(resource: nil, **options)
      raise Puppet::DevError, 'No resource set for %s' % self.class.name if resource.nil?

      super()
      @resource = resource
      options.each { |name, value| public_send(:"#{name}=", value) }
    end

    def name
      self.class.name
    end

    def to_s
      name.to_s
    end

    def path
      "#{@resource.path}/#{name}"
    end

    def log(text)
      Bunraku::Apply.log(resource[:loglevel], text, self)
    end

    %i[line file version].each { |part| define_method(part) { resource.public_send(part) } }

    def tags
      resource.tags | [name.to_s]
    end

    def provider
      @resource.provider
    end

    def noop
      !!(@noop || resource.noop?)
    end

    def metaparam?
      self.class.metaparam?
    end

    def isnamevar?
      self.class.isnamevar?
    end

    def remove
      @resource = nil
    end

    public :format

    def value
      unmunge(@value) unless @value.nil?
    end

    def value=(value)
      validate(value)
      @value = munge(value)
    end

    # Whether code has marked the value as sensitive.
    def sensitive
      @sensitive
    end
    attr_writer :sensitive

    def validate(value)
      benign_validate(value)
    end

    def benign_validate(value)
      unsafe_validate(value)
    rescue ::ArgumentError => error
      fail(error.message)
    rescue Puppet::Error, TypeError
      raise
    rescue StandardError => error
      raise Puppet::DevError.new("Validate method failed for class #{name}: #{error}", nil, nil, nil, error)
    end
    private :benign_validate

    def unsafe_validate(value)
      self.class.value_collection.check(value)
    end

    def munge(value)
      unsafe_munge(value)
    rescue Puppet::Error
      raise
    rescue StandardError => error
      raise Puppet::DevError.new("Munging failed for value #{value.inspect} in class #{name}: #{error}", nil, nil, nil,
                                 error)
    end

    def unsafe_munge(value)
      self.class.value_collection.munge(value)
    end

    def unmunge(value)
      value
    end

    def format_value_for_display(value)
      self.class.format_value_for_display(value)
    end

    # Edges to resources that the value names; most attributes have none.
    def to_edges
      []
    end

    class Boolean < Parameter # rubocop:disable Style/Documentation
      def unsafe_munge(value)
        Bunraku::Apply.boolean(value)
      end

      def self.initvars
        super
        newvalues(:true, :false, :yes, :no)
      end
    end

    # Fully qualified names of files.
    class Path < Parameter
      def self.accept_arrays(value = true)
        @accept_arrays = !!value
      end

      def self.arrays?
        @accept_arrays
      end

      def validate_path(path)
        Array(path).all? { |one| absolute_path?(one) } or fail("#{name} must be a fully qualified path")
      end

      def unsafe_validate(paths)
        fail("#{name} only accepts a single path, not an array of paths") if paths.is_a?(Array) && !self.class.arrays?
        validate_path(paths)
      end
    end

    # Options for programs that install packages.
    class PackageOptions < Parameter
      def unsafe_munge(values)
        Array(values).map { |one| one.is_a?(Hash) ? one.to_h { |key, value| [key.to_s, value.to_s] } : one.to_s }
      end
    end
  end

  # An attribute with a state on the host.
  class Property < Parameter
    class << self
      attr_writer :idempotent

      def idempotent?
        @idempotent.nil? ? (superclass <= Property ? superclass.idempotent? : true) : @idempotent
      end

      def array_matching
        @array_matching || (self == Property ? :first : superclass.array_matching)
      end

      def array_matching=(kind)
        kind = kind.to_sym
        unless %i[first all].include?(kind)
          raise ::ArgumentError, "Supported values for Property#array_matching are 'first' and 'all'"
        end

        @array_matching = kind
      end

      def newvalue(name, options = {}, &block)
        word = value_collection.add(name, options, &block)
        return word unless block && !name.is_a?(Regexp)

        method = options[:method] || :"set_#{word.name}"
        word.options = options.merge(method: method)
        define_method(method, &block)
        word
      end

      def value_option(name, option)
        word = value_collection.match(name)
        return nil if word.nil?

        case option
        when :name then word.name
        when :block then word.block
        else word.options[option]
        end
      end

      def value_name(name)
        value_option(name, :name)
      end
    end

    attr_accessor :shouldorig

    def match_all?
      self.class.array_matching == :all
    end

    def should
      return nil unless defined?(@should)

      raise Puppet::DevError, "should for #{name} on #{resource.name} is not an array" unless @should.is_a?(Array)

      match_all? ? @should.map { |one| unmunge(one) } : unmunge(@should[0])
    end

    def should=(values)
      values = [values] unless values.is_a?(Array)
      @shouldorig = values
      values.each { |value| validate(value) }
      @should = values.map { |value| munge(value) }
    end

    def value
      should
    end

    def value=(values)
      self.should = values
    end

    # The desired values as they were set.
    def desired_values
      @should
    end

    def validate(value)
      super
      check_features(value)
    end

    def check_features(value)
      features = Array(self.class.value_option(self.class.value_name(value), :required_features)).map(&:to_sym)
      return if features.empty? || provider.nil? || provider.satisfies?(*features)

      names = features.map(&:to_s).sort.join(', ')
      raise ::ArgumentError,
            "Provider #{provider.class.name} must have features '#{names}' to set '#{name}' to '#{value}'"
    end
    private :check_features

    def retrieve
      provider.public_send(self.class.unmanaged ? :"#{name}" : name)
    end

    def insync?(current)
      devfail "#{self.class.name}'s should is not array" unless @should.is_a?(Array)
      return true if @should.empty?

      values_match?(@should, current)
    end

    def safe_insync?(current)
      insync?(current)
    end

    # Returns whether the given values would be in sync.
    def insync_values?(wanted, current)
      return nil unless wanted.is_a?(Array) || !wanted.nil?

      wanted = [wanted] unless wanted.is_a?(Array)
      before = @should
      @should = wanted
      insync?(current)
    ensure
      @should = before if wanted
    end

    def values_match?(wanted, current)
      return wanted.any? { |one| property_matches?(current, one) } unless match_all?
      return false unless current.is_a?(Array) && current.length == wanted.length

      current.zip(wanted).all? { |one, other| property_matches?(one, other) }
    end
    private :values_match?

    def property_matches?(current, desired)
      current == desired || current == desired.to_s
    end

    def sync
      devfail "Got a nil value for should" unless should
      set(should)
    end

    def set(value)
      word = self.class.value_name(value)
      method = word && self.class.value_option(word, :method)
      block = word && self.class.value_option(word, :block)
      if method && respond_to?(method)
        call_valuemethod(word, value)
      elsif block
        instance_exec(&block)
      else
        call_provider(value)
      end
    end

    def call_valuemethod(name, value)
      method = self.class.value_option(name, :method)
      public_send(method)
    rescue Puppet::Error
      raise
    rescue StandardError => error
      message = "Could not set '#{value}' on #{self.class.name}: #{error}"
      wrapped = Puppet::ResourceError.new(message, @resource.file, @resource.line, nil, error)
      wrapped.set_backtrace(error.backtrace)
      Puppet.log_exception(error, wrapped.message)
      raise wrapped
    end

    def call_provider(value)
      raise Puppet::Error, "#{self.class.name} cannot handle values of type #{value.inspect}" if provider.nil?

      method = :"#{self.class.name}="
      unless provider.respond_to?(method)
        fail("The #{provider.class.name} provider can not handle attribute #{self.class.name}")
      end
      provider.public_send(method, value)
    end

    def noop
      !!(@noop || (resource.respond_to?(:noop?) ? resource.noop? : false))
    end

    def managed?
      !should.nil?
    end

    # --- words ---

    def is_to_s(value) # rubocop:disable Naming/PredicateName
      format_value_for_display(value)
    end

    def should_to_s(value)
      format_value_for_display(value)
    end

    def change_to_s(current, wanted)
      if current == :absent
        "defined '#{name}' as #{should_to_s(wanted)}"
      elsif [:absent, [:absent]].include?(wanted)
        "undefined '#{name}' from #{is_to_s(current)}"
      else
        "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
      end
    rescue Puppet::Error
      raise
    rescue StandardError => error
      raise Puppet::DevError.new("Could not convert change '#{name}' to string: #{error}", nil, nil, nil, error)
    end

    def event_name
      value = should
      event = self.class.value_option(value, :event)
      return event.to_s if event && name != :ensure
      return "#{name}_changed" unless name == :ensure

      "#{resource.type}_#{{ present: 'created', absent: 'removed' }.fetch(value, 'changed')}"
    end

    # Returns whether this value makes pending refreshes unnecessary.
    def invalidates_refreshes?
      !!self.class.value_option(should, :invalidate_refreshes)
    end

    # The existence of a resource.
    class Ensure < Property
      def self.defaultvalues
        newvalue(:present) do
          (provider.respond_to?(:create) ? provider : @resource).create
          nil
        end
        newvalue(:absent) do
          (provider.respond_to?(:destroy) ? provider : @resource).destroy
          nil
        end
        defaultto { @resource.managed? ? :present : nil }
        self.doc ||= 'The basic property that the resource should be in.'
      end

      class << self
        attr_writer :doc
      end

      def self.inherited(other)
        super
        other.attribute_name = :ensure
      end

      def change_to_s(current, wanted)
        return 'created' if current == :absent || current.nil?
        return 'removed' if wanted == :absent

        "#{name} changed #{is_to_s(current)} to #{should_to_s(wanted)}"
      end

      def retrieve
        owner = provider.respond_to?(:exists?) ? provider : @resource
        unless owner.respond_to?(:exists?)
          raise Puppet::DevError, "No ability to determine if #{@resource.name} exists"
        end

        owner.exists? ? :present : :absent
      end
    end

    class Boolean < Property # rubocop:disable Style/Documentation
      def unsafe_munge(value)
        Bunraku::Apply.boolean(value)
      end
    end

    # A list of values in any order; existing others stay unless the membership is inclusive.
    class List < Property
      self.array_matching = :all

      def is_to_s(value) # rubocop:disable Naming/PredicateName
        value == :absent ? super : "'#{value.is_a?(Array) ? value.join(delimiter) : value}'"
      end

      def should_to_s(value)
        value == :absent ? super : "'#{value.is_a?(Array) ? value.join(delimiter) : value}'"
      end

      def membership
        :membership
      end

      def delimiter
        ','
      end

      def inclusive?
        @resource[membership] == :inclusive
      end

      def add_should_with_current(wanted, current)
        (wanted + (current.is_a?(Array) ? current : [])).uniq
      end

      def dearrayify(list)
        list&.sort&.join(delimiter)
      end

      def should
        return nil unless defined?(@should) && @should

        members = @should
        members = add_should_with_current(members, retrieve) unless inclusive?
        dearrayify(members)
      end

      def prepare_is_for_comparison(current)
        current == :absent ? '' : dearrayify(current)
      end

      def retrieve
        return :absent if provider.nil?

        found = provider.public_send(name)
        return found.nil? || found == :absent ? :absent : found.split(delimiter) unless found.is_a?(Array)

        found
      end

      def insync?(current)
        return true if current.nil?

        prepare_is_for_comparison(current) == should
      end
    end

    # A list whose order matters.
    class OrderedList < List
      def add_should_with_current(wanted, current)
        (wanted + (current.is_a?(Array) ? current : [])).uniq
      end

      def dearrayify(list)
        list.join(delimiter)
      end
    end

    # Pairs of keys and values.
    class KeyValue < Property
      self.array_matching = :all
      class << self
        attr_accessor :log_only_changed_or_new_keys
      end

      def delimiter
        ';'
      end

      def separator
        '='
      end

      def membership
        :key_value_membership
      end

      def inclusive?
        @resource[membership] == :inclusive
      end

      def hash_to_key_value_s(hash)
        hash.map { |pair| pair.map(&:to_s).join(separator) }.join(delimiter)
      end

      def is_to_s(value) # rubocop:disable Naming/PredicateName
        value.is_a?(Hash) ? "'#{hash_to_key_value_s(value)}'" : super
      end

      def should_to_s(value)
        value.is_a?(Hash) ? "'#{hash_to_key_value_s(value)}'" : super
      end

      def hashify(pairs)
        pairs.each_with_object({}) do |pair, found|
          if pair.is_a?(Hash)
            found.merge!(pair)
          else
            key, value = pair.to_s.split(separator, 2)
            found[key.to_sym] = value
          end
        end
      end

      def process_current_hash(current)
        return {} if current == :absent || current.nil?

        inclusive? ? current.transform_values { nil } : current
      end

      def should
        return nil unless defined?(@should) && @should

        process_current_hash(retrieve).merge(hashify(@should))
      end

      def retrieve
        found = provider&.public_send(name)
        found.nil? || found == :absent ? :absent : hashify(found.is_a?(Hash) ? [found] : found.to_s.split(delimiter))
      end

      def insync?(current)
        return true if current.nil?

        current == should
      end
    end
  end
end
