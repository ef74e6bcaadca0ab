# Resource types where they are applied: attributes, providers, relations, and the methods by which
# modules define them.

# frozen_string_literal: true

module Puppet
  # The base of resource types: a class for each type, an instance for each resource.
  class Type
    include Comparable
    include Enumerable
    include Util
    include Util::Errors
    include Util::Logging

    METAPARAMETERS = %i[noop schedule audit loglevel alias tag require subscribe before notify stage].freeze
    RELATIONS = %i[require subscribe before notify].freeze
    # What code reads as the values of metaparameters; the run checks and uses those of the catalog.
    METAPARAMETER_VALUES = {
      noop: ->(value) { Bunraku::Apply.boolean(value) },
      audit: ->(value) { value.to_s == 'all' ? resource.audited_by_all : Array(value).map(&:to_sym) },
      loglevel: ->(value) { value.to_s == 'verbose' ? :info : value.to_sym },
      alias: ->(value) { Array(value) },
      tag: ->(value) { Array(value) },
      **RELATIONS.to_h { |name| [name, ->(value) { [value].flatten.map { |one| Puppet::Resource.from(one) } }] }
    }.freeze

    @types = {}

    class << self
      include Util
      include Util::Errors
      include Util::Logging

      attr_reader :properties, :defaultprovider_cache, :provider_loader
      attr_accessor :self_refresh, :needs_ensure_retrieval

      def name
        @type_name || super
      end

      def types
        Type.instance_variable_get(:@types)
      end

      def newtype(name, options = {}, &block)
        name = name.to_s.downcase.to_sym
        type = Class.new(Type)
        type.begin_type(name, options)
        constant = Bunraku::Apply.constant_name(name)
        Type.send(:remove_const, constant) if Type.const_defined?(constant, false)
        Type.const_set(constant, type)
        types[name] = type
        type.class_eval(&block) if block
        type.finish_type
        type
      end

      def rmtype(name)
        types.delete(name.to_s.downcase.to_sym)
      end

      def begin_type(name, options)
        @type_name = name
        @properties = []
        @parameters = []
        @attributes = {}
        @features = {}
        @providers = {}
        @relations = []
        @needs_ensure_retrieval = true
        options.each { |key, value| public_send(:"#{key}=", value) if respond_to?(:"#{key}=") }
      end

      # A type with methods that report whether a resource exists is ensurable.
      def finish_type
        ensurable if ensurable? && !validattr?(:ensure)
        load_providers
      end

      def isomorphic=(value)
        @isomorphic = value
      end

      def isomorphic?
        defined?(@isomorphic) ? !!@isomorphic : true
      end

      # Another type, native or of a module.
      def type(name)
        name = name.to_s.downcase.to_sym
        return types[name] if types.key?(name)

        answer = Bunraku::Apply.native_type(name)
        return types[name] = Native.make(name, answer) if answer

        file = Bunraku::Modules.find("puppet/type/#{name}")
        Bunraku::Apply.load(file, "puppet/type/#{name}") if file
        types[name]
      end

      def loadall; end

      def eachtype(&block)
        types.values.each(&block)
      end

      def const_missing(name)
        found = type(name) if equal?(Type)
        found || super
      end

      # --- describing it ---

      def desc(text)
        @doc = text
      end

      def doc
        @doc.to_s
      end

      def newparam(name, options = {}, &block)
        add_attribute(@parameters, name, options, Parameter, 'Parameter', &block)
      end

      def newproperty(name, options = {}, &block)
        name = name.to_sym
        raise Puppet::DevError, "Class #{self.name} already has a property named #{name}" if validproperty?(name)

        property = add_attribute(@properties, name, options, Property, '', &block)
        @properties.unshift(@properties.pop) if name == :ensure
        property
      end
      alias newstate newproperty

      def newmetaparam(name, *, &_block)
        raise Puppet::DevError, "The metaparameter '#{name}' of the type '#{self.name}' is not supported"
      end

      def ensurable(&block)
        if block
          newproperty(:ensure, parent: Property::Ensure, &block)
        else
          newproperty(:ensure, parent: Property::Ensure) { defaultvalues }
        end
      end

      def ensurable?
        %i[exists? create destroy].all? { |name| public_method_defined?(name) }
      end

      def validate(&block)
        define_method(:unsafe_validate, &block)
      end

      { autorequire: :require, autosubscribe: :subscribe, autobefore: :before, autonotify: :notify }.each do |name, kind|
        define_method(name) { |type, &block| @relations << [kind, type.to_s.downcase.to_sym, block] }
      end

      # [kind, type, block] of each automatic relation, parents first.
      def relations
        superclass <= Type && superclass != Type ? superclass.relations + @relations : @relations
      end

      def apply_to_device
        @apply_to = :device
      end

      def apply_to_host
        @apply_to = :host
      end

      def apply_to_all
        @apply_to = :both
      end

      def apply_to
        @apply_to ||= :host
      end

      def can_apply_to(target)
        [target == :device ? :device : :host, :both].include?(apply_to)
      end

      # --- attributes ---

      # Only parameters name a resource, although code may mark properties, too.
      def key_attributes
        @parameters.select { |one| one.isnamevar? || one.name == :name }.map(&:name)
      end

      def key_attribute_parameters
        key_attributes.map { |name| attrclass(name) }
      end

      def title_patterns
        case key_attributes.size
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else
          raise Puppet::DevError, "you must specify title patterns when there are two or more key attributes"
        end
      end

      def uniqueness_key(resource)
        key_attributes.sort_by(&:to_s).map { |name| resource[name] }
      end

      def parameters
        @parameters.map(&:name)
      end

      def paramclasses
        @parameters
      end

      def validproperties
        @properties.map(&:name)
      end

      def allattrs
        key_attributes | (parameters & [:provider]) | validproperties | parameters | metaparams
      end

      def validattrs
        allattrs
      end

      def validproperty?(name)
        !propertybyname(name.to_sym).nil?
      end

      def validparameter?(name)
        validattr?(name) && !validproperty?(name)
      end

      def validattr?(name)
        name = name.to_sym
        name == :name || @attributes.key?(name) || metaparam?(name)
      end
      alias valid_parameter? validattr?

      def metaparam?(name)
        METAPARAMETERS.include?(name.to_sym)
      end

      def metaparams
        METAPARAMETERS
      end

      def eachmetaparam(&block)
        metaparams.each(&block)
      end

      def paramclass(name)
        @parameters.find { |one| one.name == name.to_sym }
      end

      def propertybyname(name)
        one = @attributes[name.to_sym]
        one if one && one <= Property && @properties.include?(one)
      end

      def attrclass(name)
        name = name.to_sym
        @attributes[name] || (metaparam?(name) ? metaparamclass(name) : nil)
      end

      def attrtype(name)
        return :property if validproperty?(name)

        paramclass(name) ? :param : :meta
      end

      def metaparamclass(name)
        name = name.to_sym
        return nil unless metaparam?(name)

        @@metaparameters ||= {}
        @@metaparameters[name] ||= Class.new(Parameter).tap do |one|
          one.attribute_name = name
          one.metaparam = true
          one.munge(&METAPARAMETER_VALUES[name]) if METAPARAMETER_VALUES.key?(name)
          one.defaultto(:notice) if name == :loglevel
        end
      end

      def attribute_names
        @attributes.keys
      end

      # --- resources ---

      # The resources that exist on the host.
      def instances
        if provider_hash.empty?
          raise Puppet::DevError, "#{name} has no providers and has not overridden 'instances'"
        end

        known = {}
        providers_by_source.flat_map do |provider|
          wanted = properties.select { |one| provider.supports_parameter?(one) }.map(&:name)
          provider.instances.filter_map do |instance|
            next if known[instance.name]

            known[instance.name] = true
            new(name: instance.name, provider: instance).tap { |made| wanted.each { |name| made.newattr(name) } }
          end
        end
      end

      def hash2resource(hash)
        title = hash[:title] || hash['title'] || hash[:name] || hash['name']
        if title.nil?
          key = key_attributes.find { |name| hash.key?(name) || hash.key?(name.to_s) }
          title = hash[key] || hash[key.to_s] if key
        end
        raise Puppet::Error, 'Title or name must be provided' if title.nil?

        resource = Puppet::Resource.new(name, title)
        hash.each { |key, value| resource[key] = value unless key.to_sym == :title }
        resource
      end

      private

      def add_attribute(list, name, options, base, prefix, &block)
        name = name.to_sym
        attribute = Class.new(options[:parent] || base)
        attribute.attribute_name = name
        attribute.resource_type = self
        options.each do |key, value|
          case key
          when :parent, :attributes then next
          when :namevar then attribute.isnamevar if value
          else attribute.public_send(:"#{key}=", value) if attribute.respond_to?(:"#{key}=")
          end
        end
        (options[:attributes] || {}).each { |key, value| attribute.public_send(:"#{key}=", value) }
        list.reject! { |one| one.name == name }
        list << attribute
        @attributes[name] = attribute
        attribute.class_eval(&block) if block
        constant = "#{prefix}#{Bunraku::Apply.constant_name(name)}"
        const_set(constant, attribute) if constant.match?(/\A[A-Z]\w*\z/) && !const_defined?(constant, false)
        define_method(:"#{name}?") { ![nil, false, :false].include?(self[name]) } if options[:boolean] || boolean?(attribute)
        attribute
      end

      def boolean?(attribute)
        attribute <= Parameter::Boolean
      end
    end

    # --- providers ---

    # An optional ability of providers.
    Feature = Struct.new(:name, :docs, :methods) do
      def available?(provider)
        return false if methods.nil? || methods.empty?

        methods.all? { |one| provider.is_a?(Class) ? provider.method_defined?(one) : provider.respond_to?(one) }
      end
    end

    class << self
      def feature(name, docs = '', options = {})
        if @features.key?(name.to_sym)
          raise Puppet::DevError, "Feature #{name} is already defined"
        end

        @features[name.to_sym] = Feature.new(name.to_sym, docs, Array(options[:methods]))
      end

      def features
        @features.keys
      end

      def provider_feature(name)
        @features[name.to_sym]
      end

      def provider_features
        @features
      end

      def provide(name, options = {}, &block)
        name = name.to_sym
        unprovide(name)
        parent = options[:parent] || options['parent'] || Puppet::Provider
        parent = provider(parent) || raise(Puppet::DevError, "Could not find parent provider #{options[:parent]} of #{name}") unless parent.is_a?(Class)
        providify
        made = Class.new(parent)
        made.begin_provider(name, self)
        options.each { |key, value| made.public_send(:"#{key}=", value) unless %i[parent resource_type].include?(key.to_sym) }
        @providers[name] = made
        constant = "Provider#{Bunraku::Apply.constant_name(name)}"
        remove_const(constant) if const_defined?(constant, false)
        const_set(constant, made) if constant.match?(/\A[A-Z]\w*\z/)
        made.class_eval(&block) if block
        made
      end

      def unprovide(name)
        @defaultprovider = nil
        @providers.delete(name.to_sym)
      end

      def provider(name)
        @providers[name.to_sym] || load_provider(name)
      end

      def provider_hash
        @providers
      end

      def providers
        @providers.keys
      end

      def validprovider?(name)
        !!provider(name)&.suitable?
      end

      def suitableprovider
        @providers.values.select(&:suitable?)
      end

      # One provider for each source of resources.
      def providers_by_source
        by_source = {}
        [defaultprovider, *suitableprovider].compact.uniq.each { |one| by_source[one.source] ||= one }
        by_source.values
      end

      def defaultprovider
        return @defaultprovider if @defaultprovider

        candidates = suitableprovider
        defaults = candidates.select(&:default?)
        candidates = defaults unless defaults.empty?
        best = candidates.map(&:specificity).max
        candidates = candidates.select { |one| one.specificity == best }
        return nil if candidates.empty?

        if candidates.size > 1
          Puppet.warning("Found multiple default providers for #{name}: " \
                         "#{candidates.map { |one| one.name.to_s }.join(', ')}; using #{candidates[0].name}")
        end
        @defaultprovider = candidates[0]
      end

      attr_writer :defaultprovider

      def forget_default
        @defaultprovider = nil
      end

      # Adds the parameter that names the provider.
      def providify
        return if @attributes.key?(:provider)

        newparam(:provider) do
          desc 'The specific backend to use for this resource.'

          validate do |value|
            value = value[0] if value.is_a?(Array)
            value = value.class.name if value.is_a?(Puppet::Provider)
            unless resource.class.provider(value)
              raise ::ArgumentError, "Invalid #{resource.class.name} provider '#{value}'"
            end
          end

          munge do |value|
            value = value[0] if value.is_a?(Array)
            value = value.to_sym if value.is_a?(String)
            resource.provider = value
            value.is_a?(Puppet::Provider) ? value.class.name : value
          end

          defaultto { resource.class.defaultprovider&.name }
        end
      end

      # Providers of native types are never loaded from here.
      def load_providers
        Bunraku::Modules.libraries.each do |library|
          ::Dir.glob("#{library}/puppet/provider/#{name}/*.rb").sort.each do |path|
            Bunraku::Apply.load(path, "puppet/provider/#{name}/#{::File.basename(path, '.rb')}")
          end
        end
        providify unless @providers.empty?
      end

      private

      def load_provider(name)
        file = Bunraku::Modules.find("puppet/provider/#{self.name}/#{name}")
        Bunraku::Apply.load(file, "puppet/provider/#{self.name}/#{name}") if file
        @providers[name.to_sym]
      end
    end
  end
end
