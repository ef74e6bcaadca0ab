# One resource of a type that is written in Ruby: its attributes, its provider, and its place in the
# catalog.

# frozen_string_literal: true

module Puppet
  class Type # rubocop:disable Style/Documentation
    attr_accessor :catalog, :file, :line, :title, :virtual, :exported
    attr_reader :number, :original_parameters, :provider, :parameters, :sensitive_parameters

    # Takes a Puppet::Resource or a hash of attributes.
    def initialize(resource)
      resource = self.class.hash2resource(resource) if resource.is_a?(Hash)
      @parameters = {}
      @title = resource.title
      @catalog = resource.catalog
      @file = resource.file
      @line = resource.line
      @tags = resource.own_tags_of_data
      @virtual = resource.virtual
      @exported = resource.exported
      @original_parameters = resource.to_hash
      @number = Bunraku::Apply.keep(self)
      set_name(@original_parameters)
      set_default(:provider) unless @original_parameters.key?(:provider)
      set_parameters(@original_parameters)
      validate_resource
      set_sensitive_parameters(resource.sensitive_parameters)
    end

    # --- attributes ---

    def [](name)
      name = name.to_sym
      fail("Invalid parameter #{name}(#{name.inspect})") unless self.class.validattr?(name)

      name = name_var if name == :name && name_var
      @parameters[name]&.value
    end

    def []=(name, value)
      name = name.to_sym
      unless self.class.validattr?(name)
        raise adderrorcontext(Puppet::ResourceError.new("no parameter named '#{name}'", nil, nil, nil, nil))
      end

      name = name_var if name == :name && name_var
      raise Puppet::Error, "Got nil value for #{name}" if value.nil?

      attribute = newattr(name) or return
      begin
        attribute.value = value
        tag(*Array(value)) if name == :tag && self.class.metaparam?(:tag)
      rescue Puppet::Error, ::ArgumentError => error
        raise adderrorcontext(Puppet::ResourceError.new("Parameter #{name} failed on #{ref}: #{error}", nil, nil, nil, nil))
      end
    end

    def name_var
      return @name_var if defined?(@name_var)

      keys = self.class.key_attributes
      @name_var = keys.size == 1 && keys.first
    end

    def name
      self[:name] || (self.class.key_attributes.size > 1 ? title : nil)
    end

    def uniqueness_key
      self.class.uniqueness_key(self)
    end

    def newattr(name)
      kind = name.is_a?(Class) ? name : self.class.attrclass(name)
      raise Puppet::Error, "Type #{self.class.name} does not support parameter #{name}" if kind.nil?
      return @parameters[kind.name] if @parameters.key?(kind.name)

      if provider && !provider.class.supports_parameter?(kind)
        missing = Array(kind.required_features).reject { |one| provider.class.satisfies?(one) }
        debug("Provider #{provider.class.name} does not support features #{missing.join(', ')}; " \
              "not managing attribute #{kind.name}")
        return nil
      end
      @parameters[kind.name] = kind.new(resource: self)
    end

    def set_default(name)
      kind = self.class.attrclass(name)
      return if kind.nil? || !kind.method_defined?(:default) || @parameters.key?(kind.name)

      attribute = newattr(kind.name) or return
      value = attribute.default
      return @parameters.delete(attribute.name) if dropped_default?(value)

      attribute.value = value
    end

    # A default of false counts as no value.
    def dropped_default?(value)
      !value
    end

    def delete(name)
      name = name.to_sym
      raise Puppet::DevError, "Undefined attribute '#{name}' in #{self}" unless @parameters.key?(name)

      @parameters.delete(name)
    end

    def property(name)
      one = @parameters[name.to_sym]
      one if one.is_a?(Property)
    end

    def parameter(name)
      @parameters[name.to_sym]
    end

    def propertydefined?(name)
      @parameters.key?(name.to_sym)
    end

    def properties
      self.class.properties.filter_map { |kind| @parameters[kind.name] }
    end

    def eachproperty(&block)
      properties.each(&block)
    end

    def each(&block)
      properties.each(&block)
    end

    def should(name)
      property(name)&.should
    end

    def value(name)
      @parameters[name.to_sym]&.value
    end

    def set?(name)
      !value(name).nil?
    end

    def to_hash
      @parameters.transform_values(&:value)
    end

    def finish; end

    def flush
      provider.flush if provider.respond_to?(:flush)
    end

    def noop?
      self[:noop].nil? ? !!Puppet[:noop] : ![false, :false, 'false'].include?(self[:noop])
    end
    alias noop noop?

    def managed?
      return false if virtual && !exported

      properties.any? { |one| one.should && !one.class.unmanaged }
    end

    def isomorphic?
      self.class.isomorphic?
    end

    def suitable?
      return true if self.class.providers.empty? || self.class.paramclass(:provider).nil?

      set_default(:provider) if provider.nil?
      !provider.nil? && provider.class.suitable?
    end

    # The names of the properties that `audit => all` is about.
    def audited_by_all
      kinds = self.class.properties
      kinds = kinds.select { |one| provider.class.supports_parameter?(one) } if provider
      kinds.map(&:name)
    end

    # --- looking at it ---

    def retrieve
      if provider.is_a?(Puppet::Provider) && !provider.class.suitable?
        fail("Provider #{provider.class.name} is not functional on this host")
      end
      found = Puppet::Resource.new(self.class.name, title)
      ensure_property = property(:ensure)
      if ensure_property.nil? && self.class.needs_ensure_retrieval && self.class.validattr?(:ensure)
        ensure_property = newattr(:ensure)
      end
      state = found[:ensure] = ensure_property.retrieve if ensure_property
      properties.each do |one|
        next if one.name == :ensure

        found[one.name] = state == :absent ? :absent : one.retrieve
      end
      found
    end

    def retrieve_resource
      found = retrieve
      return found unless found.is_a?(Hash)

      Puppet::Resource.new(self.class.name, title, parameters: found)
    end

    def currentpropvalues
      properties.to_h { |one| [one, one.retrieve] }
    end

    def present?(found)
      found[:ensure] != :absent
    end

    def insync?(found)
      properties.all? { |one| one.safe_insync?(found.is_a?(Hash) ? found[one] : found[one.name]) }
    end

    def to_resource
      found = retrieve_resource
      @parameters.each do |name, one|
        next if one.is_a?(Property) || (one.class.isnamevar? && one.value == title)

        found[name] = one.value
      end
      found
    end

    # --- provider ---

    def provider=(given)
      if given.is_a?(Puppet::Provider)
        @provider = given
      else
        kind = self.class.provider(given) or
          raise ::ArgumentError, "Could not find #{given} provider of #{self.class.name}"
        @provider = kind.new(self)
      end
    ensure
      @provider.resource = self if @provider.respond_to?(:resource=)
    end

    def provider_class=(kind)
      @provider = kind.new(self)
    end

    # --- what it is called ---

    def type
      self.class.name
    end

    def ref
      @ref ||= "#{Util.capitalize_segments(self.class.name.to_s)}[#{title}]"
    end
    alias to_s ref
    alias inspect ref

    def path
      Bunraku.ask('apply.path', ref) || "/#{ref}"
    end

    def pathbuilder
      [path]
    end

    def tags
      @tags.dup
    end

    def tags=(list)
      @tags = list.map(&:to_s)
    end

    def tag(*names)
      names.flatten.compact.each { |name| @tags << name.to_s.downcase unless @tags.include?(name.to_s.downcase) }
    end

    def tagged?(*names)
      names.flatten.any? { |name| @tags.include?(name.to_s.downcase) }
    end

    def log(text)
      Bunraku::Apply.log(self[:loglevel] || :notice, text, self)
    end

    def version
      catalog.respond_to?(:version) ? catalog.version : 0
    end

    def builddepends
      []
    end

    def autorequire(*)
      []
    end

    def self_refresh?
      self.class.self_refresh
    end

    def depthfirst?
      false
    end

    def purging
      @purging = true
    end

    def purging?
      !!@purging
    end

    def remove(*); end

    def removed?
      false
    end

    def parent
      nil
    end

    def <=>(other)
      other.respond_to?(:ref) ? ref <=> other.ref : nil
    end

    def ==(other)
      equal?(other)
    end

    def eql?(other)
      equal?(other)
    end

    def hash
      __id__
    end

    def copy_metaparams(other)
      METAPARAMETERS.each do |name|
        next if name == :provider || other[name].nil?

        self[name] = other[name]
      end
    end

    def set_sensitive_parameters(names)
      names.each do |name|
        name = name.to_sym
        one = @parameters[name]
        if one.is_a?(Property)
          one.sensitive = true
        elsif one
          warning("Unable to mark '#{name}' as sensitive: #{name} is a parameter and not a property, and cannot be " \
                  'automatically redacted.')
        end
      end
      @parameters.each_value { |one| one.sensitive = true if one.is_a?(Property) && one.sensitive }
    end

    private

    # The name is set first, because other attributes may read it. Types may override this and the
    # next method, which get the given values.
    def set_name(given)
      self[name_var] = given.delete(name_var) if name_var && !given[name_var].nil?
    end

    # Defaults are set after given values, because many read them.
    def set_parameters(given)
      (self.class.allattrs + given.keys).uniq.each { |name| set_given(name, given[name]) unless given[name].nil? }
      self.class.allattrs.each { |name| set_default(name) unless @parameters.key?(name) }
    end

    def set_given(name, value)
      self[name] = value
    rescue ::ArgumentError, TypeError, Puppet::Error
      raise
    rescue StandardError => error
      raise Puppet::DevError, "Could not set #{name} on #{self.class.name}: #{error}"
    end

    def validate_resource
      return unless respond_to?(:unsafe_validate) || respond_to?(:validate)

      respond_to?(:unsafe_validate) ? unsafe_validate : validate
    rescue Puppet::Error, ::ArgumentError => error
      raise adderrorcontext(Puppet::ResourceError.new("Validation of #{ref} failed: #{error}", nil, nil, nil, nil))
    end

    def adderrorcontext(error)
      error.file ||= file
      error.line ||= line
      error
    end
  end
end
