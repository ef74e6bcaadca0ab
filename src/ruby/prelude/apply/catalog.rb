# Resources as data, the catalog that is applied, and Ruby's view of resources of native types.

# frozen_string_literal: true

module Puppet
  # Replaces the class for compilations.
  remove_const(:Resource) if const_defined?(:Resource, false)

  # A type, a title and values.
  class Resource
    include Enumerable

    # Finds resources of the host by keys of the form "type/name".
    module Indirection
      def self.find(key, *)
        type_name, name = key.split('/', 2)
        type = Type.type(type_name) or raise Puppet::Error, "Could not find type #{type_name}"
        found = type.instances.find { |one| one.name == name }
        found ||= type.new(name: name).tap { |made| type.properties.each { |one| made.newattr(one.name) } }
        found.to_resource
      end

      def self.search(key, *)
        type_name = key.split('/', 2).first
        type = Type.type(type_name) or raise Puppet::Error, "Could not find type #{type_name}"
        type.instances.map(&:to_resource).sort_by(&:title)
      end
    end

    def self.indirection
      Indirection
    end

    attr_reader :type, :title
    attr_accessor :catalog, :file, :line, :virtual, :exported, :sensitive_parameters, :own_tags_of_data

    def self.type_and_title(type, title)
      one = new(type, title)
      [one.type, one.title]
    end

    # The resource of a reference, which may be its text.
    def self.from(reference)
      reference.is_a?(Resource) ? reference : new(reference)
    end

    def initialize(type, title = nil, parameters: nil, **)
      if type.is_a?(Resource) || type.is_a?(Type)
        title ||= type.title
        type = type.is_a?(Resource) ? type.type : type.class.name
      end
      type = type.name if type.is_a?(Class)
      if title.nil?
        match = /\A([^\[\]]+)\[(.+)\]\z/m.match(type.to_s) or
          raise ::ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
        type, title = match[1], match[2]
      end
      @type = Util.capitalize_segments(type.to_s.delete_prefix('::'))
      @title = title
      @parameters = {}
      @sensitive_parameters = []
      @own_tags_of_data = []
      (parameters || {}).each { |name, value| self[name] = value }
    end

    def ref
      "#{@type}[#{@title}]"
    end
    alias to_s ref

    def inspect
      "#{ref}#{@parameters.inspect}"
    end

    def [](name)
      @parameters[key_of(name)]
    end

    def []=(name, value)
      @parameters[key_of(name)] = value
    end

    def key?(name)
      @parameters.key?(key_of(name))
    end
    alias has_key? key?
    alias include? key?

    def delete(name)
      @parameters.delete(key_of(name))
    end

    def each(&block)
      @parameters.each(&block)
    end

    def keys
      @parameters.keys
    end

    def length
      @parameters.length
    end

    def empty?
      @parameters.empty?
    end

    def valid_parameter?(name)
      resource_type.validattr?(name)
    end

    def name
      self[:name] || title
    end

    def parameters
      @parameters
    end
    alias to_h parameters

    def resource_type
      @resource_type ||= Type.type(@type)
    end

    # The values, with those from the title.
    def to_hash
      names_of_title.merge(@parameters.to_h { |name, value| [canonical(name), value] })
    end

    def to_ral
      resource_type.new(self)
    end

    def tags
      @own_tags_of_data
    end

    def uniqueness_key
      resource_type.key_attributes.sort_by(&:to_s).map { |name| to_hash[name] }
    end

    def virtual?
      !!@virtual
    end

    def exported?
      !!@exported
    end

    def ==(other)
      other.is_a?(Resource) && ref == other.ref && parameters == other.parameters
    end

    private

    def key_of(name)
      (name.respond_to?(:name) && !name.is_a?(Symbol) ? name.name : name).to_sym
    end

    # The namevar's own name for :name, as the reference stores it.
    def canonical(name)
      return name unless name == :name && resource_type && !resource_type.attribute_names.include?(:name)

      keys = resource_type.key_attributes
      keys.size == 1 ? keys.first : name
    end

    def names_of_title
      return {} if resource_type.nil?

      resource_type.title_patterns.each do |pattern, parts|
        match = pattern.match(title.to_s) or next
        found = parts.zip(match.captures).to_h do |(name, change), text|
          [name, change ? change.call(text) : text]
        end
        return found.reject { |name, _| @parameters.key?(name) || (@parameters.key?(:name) && canonical(:name) == name) }
      end
      raise Puppet::Error, "No set of title patterns matched the title \"#{title}\"."
    end

    # The catalog that is applied.
    class Catalog
      class DuplicateResourceError < Puppet::Error # rubocop:disable Style/Documentation
        include ExternalFileError
      end

      def resource(type, title = nil)
        reference = title.nil? ? type.to_s : "#{Util.capitalize_segments(type.respond_to?(:name) ? type.name.to_s : type.to_s)}[#{title}]"
        Bunraku::Apply.resource_of(Bunraku.ask('apply.find', reference))
      end

      def resources
        Bunraku.ask('apply.resources').map { |answer| Bunraku::Apply.resource_of(answer) }
      end

      def resource_refs
        Bunraku.ask('apply.resources').map { |_, type, title| "#{type}[#{title}]" }
      end

      def resource_keys
        Bunraku.ask('apply.resources').map { |_, type, title| [type, title] }
      end

      def vertices
        resources
      end

      def host_config?
        true
      end

      def retrieval_duration
        0
      end

      def version
        Bunraku.ask('apply.version')
      end

      def environment
        Puppet[:environment]
      end

      def environment_instance
        Node::Environment.current
      end

      def add_resource(*)
        raise Puppet::Error, 'Resources cannot be added to a catalog that is being applied; generate returns them'
      end
    end
  end

  # The attributes of a resource of a native type in the catalog.
  class NativeAttributes
    def initialize(resource)
      @resource = resource
    end

    def [](name)
      key?(name) ? NativeAttribute.new(@resource, name.to_sym) : nil
    end

    def key?(name)
      !@resource[name].nil?
    end
    alias has_key? key?
    alias include? key?
  end

  # One attribute of such a resource.
  class NativeAttribute
    attr_reader :resource, :name

    def initialize(resource, name)
      @resource = resource
      @name = name
    end

    def value
      @resource[@name]
    end
    alias should value

    def value=(value)
      @resource[@name] = value
    end
    alias should= value=

    def sensitive
      Bunraku.ask('apply.sensitive', @resource.ref, @name.to_s)
    end

    # Marks the value to be left out of messages and reports.
    def sensitive=(value)
      Bunraku.ask('apply.set_sensitive', @resource.ref, @name.to_s, value ? true : false)
    end
  end

  # A service that is not in the catalog. Its actions are run by its native provider.
  class HostService
    def initialize(resource)
      @resource = resource
    end

    %i[start stop restart status enable disable enabled?].each do |action|
      define_method(action) { Bunraku.ask('apply.service', action.to_s, @resource.title.to_s, Bunraku::Apply.plain(@resource.given).transform_keys(&:to_s)) }
    end
  end

  # Resources of native types. Before they are in the catalog they are a hash of attributes;
  # afterwards the run answers questions about them.
  class Native < Type
    # The types whose providers may be of modules: their features, with the methods that show them.
    FEATURES = {
      package: {
        installable: [:install], uninstallable: [:uninstall], upgradeable: %i[update latest], purgeable: [:purge],
        versionable: [], version_ranges: [], holdable: %i[hold unhold], install_only: [], install_options: [],
        uninstall_options: [], disableable: [:disable], supports_flavors: [],
        package_settings: %i[package_settings_insync? package_settings package_settings=], virtual_packages: [],
        targetable: [], reinstallable: [:reinstall]
      },
      service: {
        refreshable: [:restart], enableable: %i[disable enable enabled?], delayed_startable: [:delayed_start],
        manual_startable: [:manual_start], controllable: [], flaggable: [:flags], maskable: [:mask], configurable_timeout: [],
        manages_logon_credentials: %i[logonpassword= logonaccount logonaccount_insync?]
      }
    }.freeze
    # The prelude files with providers from which those of modules inherit, and the names of these.
    PARENTS = { service: ['apply/services', %i[service base init]] }.freeze

    def self.make(name, answer)
      made = Class.new(Native)
      made.begin_type(name, {})
      answer['properties'].each { |one| made.newproperty(one) }
      answer['parameters'].each { |one| made.newparam(one, namevar: answer['keys'].include?(one)) }
      made.native_providers = answer['providers'].map(&:to_sym)
      constant = Bunraku::Apply.constant_name(name)
      Type.const_set(constant, made) unless Type.const_defined?(constant, false)
      made.add_parts
      made
    end

    class << self
      attr_accessor :native_providers

      def providers
        native_providers
      end

      # Nested classes that attributes of other types inherit from.
      def add_parts
        Bunraku.use('apply/file_attributes') if name == :file
        FEATURES.fetch(name, {}).each { |feature, methods| self.feature(feature, '', methods: methods) }
      end

      def provider(name)
        parents, names = PARENTS[self.name]
        Bunraku.use(parents) if names&.include?(name.to_sym)
        found = FEATURES.key?(self.name) ? super : nil
        found or raise Puppet::Error, "The provider #{name} of the type #{self.name} is not written in Ruby"
      end

      def provide(name, options = {}, &block)
        return super if FEATURES.key?(self.name)

        raise Puppet::Error, "Providers in Ruby of the type #{self.name} are not supported: #{name}"
      end

      def load_providers; end
    end

    attr_reader :given

    def initialize(resource)
      resource = self.class.hash2resource(resource) if resource.is_a?(Hash)
      @title = resource.title
      @given = resource.parameters.reject { |_, value| value.nil? }
      @tags = []
      @number = -1
    end

    # Makes the object of a resource in the catalog.
    def self.in_catalog(title)
      allocate.tap { |made| made.instance_variable_set(:@title, title) }
    end

    def in_catalog?
      @given.nil?
    end

    def [](name)
      return Bunraku.ask('apply.get', ref, name.to_s) if in_catalog?

      @given[name.to_sym] || (name_var == name.to_sym ? @title : nil)
    end

    def []=(name, value)
      if in_catalog?
        Bunraku.ask('apply.set', ref, name.to_s, Bunraku::Apply.plain(value))
      else
        @given[name.to_sym] = value
      end
    end

    def should(name)
      self[name]
    end

    def value(name)
      self[name]
    end

    def name
      self[name_var || :name] || @title
    end

    def parameters
      in_catalog? ? NativeAttributes.new(self) : @given
    end

    # Services that code makes can be started and stopped.
    def provider
      return super if in_catalog? || self.class.name != :service

      @provider ||= HostService.new(self)
    end

    def path
      "/#{ref}"
    end
  end
end
