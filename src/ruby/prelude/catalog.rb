# The compilation as module code sees it: resources, the catalog and the compiler.

# frozen_string_literal: true

module Puppet
  # A reference to a resource, optionally with parameters.
  class Resource
    include Util::Tagging

    attr_reader :type, :title, :parameters
    attr_accessor :file, :line, :virtual, :exported, :strict

    alias name title

    def self.type_and_title(type, title)
      one = new(type, title)
      [one.type, one.title]
    end

    def initialize(type, title = nil, options = {})
      type, title = type.type, type.title if type.is_a?(Resource)
      type = type.name if type.respond_to?(:name)
      if title.nil? && (match = /\A([^\[\]]+)\[(.+)\]\z/m.match(type.to_s))
        type, title = match[1], match[2]
      end
      if title.nil?
        raise ::ArgumentError, "No title provided and #{type.inspect} is not a valid resource reference"
      end
      @type = Util.capitalize_segments(type.to_s.delete_prefix('::'))
      @title = @type == 'Class' ? Util.capitalize_segments(title.to_s.delete_prefix('::')) : title
      @parameters = {}
      (options[:parameters] || {}).each { |name, value| self[name] = value }
      @file = options[:file]
      @line = options[:line]
    end

    # The form of a resource in a catalog.
    def to_data_hash
      key = resource_type && resource_type.key_attributes.size == 1 ? resource_type.key_attributes.first : :name
      shown = to_hash.reject { |name, value| name == key && value == @title }
      data = { 'type' => @type, 'title' => @title.to_s, 'tags' => tags.to_data_hash, 'file' => @file, 'line' => @line,
               'exported' => exported?, 'kind' => kind }.compact
      return data if shown.empty?

      shown = shown.transform_keys(&:to_s)
      data.merge('parameters' => Pops::Serialization::ToDataConverter.convert(shown, rich_data: Puppet[:rich_data]))
    end

    def kind
      return 'class' if class?

      resource_type ? 'compilable_type' : 'unknown'
    end

    def first_tags
      title = @title.to_s
      [*Util::Tagging.parts(@type), *(Util::Tagging::ValidTagRegex.match?(title) ? Util::Tagging.parts(title) : [])]
    end
    private :first_tags

    def marshal_dump
      [@type, @title.to_s.empty? ? nil : @title.to_s]
    end

    def marshal_load(content)
      @type, @title = content
      @parameters = {}
    end

    def ref
      "#{@type}[#{@title}]"
    end
    alias to_s ref

    def inspect
      "#{@type}[#{@title}]#{to_hash.inspect}"
    end

    def [](name)
      @parameters[name.to_sym]
    end

    def []=(name, value)
      @parameters[name.to_sym] = value
    end

    def key?(name)
      @parameters.key?(name.to_sym)
    end
    alias has_key? key?

    def each(&block)
      @parameters.each(&block)
    end

    # The attributes from the title, and the parameters.
    def to_hash
      names_of_title.merge(@parameters)
    end

    def to_h
      @parameters.dup
    end

    def names_of_title
      type = resource_type
      return { name: @title.to_s } unless type

      type.title_patterns.each do |pattern, parts|
        match = pattern.match(@title.to_s) or next
        return parts.zip(match.captures).to_h { |(name, change), text| [name, change ? change.call(text) : text] }
      end
      {}
    end

    def uniqueness_key
      names = to_hash
      resource_type ? names.values_at(*resource_type.key_attributes.sort) : [names[:name]]
    end

    def builtin_type?
      !resource_type.nil?
    end

    def valid_parameter?(name)
      resource_type ? resource_type.validattr?(name) : true
    end

    def virtual?
      !!@virtual
    end

    def exported?
      !!@exported
    end

    def class?
      @type == 'Class'
    end

    def resource_type
      class? ? nil : Puppet::Type.type(@type)
    end

    def ==(other)
      other.is_a?(Resource) && other.type == @type && other.title == @title
    end
    alias eql? ==

    def hash
      [@type, @title].hash
    end

    # A list of resources.
    class Catalog
      def initialize(scope)
        @scope = scope
      end

      def resource(type, title = nil)
        reference = title.nil? && type.is_a?(Resource) ? type : Resource.new(type, title)
        found = @scope.ask('catalog.resource', reference)
        found && Parser::Resource.from(found, @scope)
      end

      def resource_keys
        resources.map { |one| [one.type, one.title] }
      end

      def resource_refs
        resources.map(&:ref)
      end

      def resources
        @scope.ask('catalog.resources').map { |answer| Parser::Resource.from(answer, @scope) }
      end

      def classes
        @scope.ask('catalog.classes')
      end

      def tags
        @scope.ask('catalog.tags')
      end

      def environment_instance
        Node::Environment.current
      end

      def name
        @name ||= @scope.ask('catalog.name')
      end

      def add_resource(*resources)
        resources.each { |one| one.add_to_catalog(@scope) }
      end

      # Their definitions are not evaluated any more, either.
      def remove_resource(*resources)
        resources.each { |one| @scope.ask('catalog.remove', one) }
      end

      def version
        nil
      end
    end
  end

  module Parser
    def self.const_missing(name)
      return super unless name == :TemplateWrapper

      Bunraku.use('erb')
      TemplateWrapper
    end

    # Files of modules: "module/path".
    module Files
      module_function

      { file: 'files', template: 'templates', script: 'scripts' }.each do |kind, directory|
        define_method(:"find_#{kind}") do |name, _environment = nil|
          Util.absolute_path?(name) ? name : Bunraku.ask('file.find', directory, name)
        end
        module_function :"find_#{kind}"
      end

      def find_in_module(reference, environment)
        return reference if Util.absolute_path?(reference)

        name, path = split_file_path(reference)
        found = path && environment.module(name)
        found ? yield(found, path) : nil
      end

      def split_file_path(path)
        path == '' || Util.absolute_path?(path) ? nil : path.split('/', 2)
      end
    end

    # A resource in a compilation.
    class Resource < Puppet::Resource
      attr_accessor :source, :scope
      attr_writer :catalog_tags

      # Makes a resource of the compiler's description.
      def self.from(answer, scope)
        file, line = answer['place']
        resource = new(answer['type'], answer['title'], file: file, line: line, scope: scope,
                                                    parameters: answer['parameters'])
        resource.definition_place = answer['definition']
        resource.virtual = answer['virtual']
        resource.exported = answer['exported']
        resource.catalog_tags = answer['tags']
        resource.names = answer['names']
        resource.is_in_catalog = true
        resource.restore_main if answer['type'] == 'Class' && answer['title'] == 'main'
        resource
      end

      # Class[Main], the class of code outside of all classes, has its title in lower case.
      def restore_main
        @title = 'main'
      end

      # Sets the attributes that the title provides.
      attr_writer :names
      attr_writer :is_in_catalog

      # The file and line of the class or defined type of a scope's resource.
      attr_accessor :definition_place

      def names_of_title
        @names ? @names.transform_keys(&:to_sym) : super
      end

      def initialize(type, title, options = {})
        given = options[:parameters]
        given = given.to_h { |one| [one.name, one.value] } if given.is_a?(Array)
        super(type, title, options.merge(parameters: given || {}))
        @scope = options[:scope]
        @source = options[:source]
        @virtual = options[:virtual]
        @exported = options[:exported]
      end

      def first_tags
        @catalog_tags || super
      end
      private :first_tags

      def [](name)
        name.to_sym == :title ? @title : super
      end

      # Resources in the catalog get the new value there, too.
      def []=(name, value)
        super
        @scope.ask('catalog.set', self, name.to_s, value) if @is_in_catalog
      end

      def set_parameter(name, value = nil)
        name, value = name.name, name.value if name.is_a?(Param)
        self[name] = value
      end

      def catalog
        scope.catalog
      end

      RELATIONS = %i[before notify require subscribe].freeze
      private_constant :RELATIONS

      # The attributes from the title, and the parameters that have a value.
      def to_hash
        names_of_title.merge(
          @parameters.compact.to_h do |name, value|
            [name, RELATIONS.include?(name) && value.is_a?(Array) ? value.flatten.compact : value]
          end
        )
      end

      # The parameters by name, as objects; changing one changes the resource.
      def parameters
        Parameters.new(self, @parameters)
      end

      def add_to_catalog(scope)
        (@scope || scope).ask('catalog.add', @type, @title.to_s, @parameters.transform_keys(&:to_s),
                              virtual? ? 1 : 0, exported? ? 1 : 0)
      end

      # A parameter, of a resource or by itself.
      class Param
        attr_reader :value
        attr_accessor :name, :source, :line, :file, :add

        def initialize(options)
          options.each { |name, value| instance_variable_set("@#{name}", value) }
        end

        def initialize_copy(other)
          super
          @resource = nil
        end

        def value=(value)
          @value = value
          @resource[@name] = value if @resource
        end

        def to_s
          "#{@name} => #{@value}"
        end
      end

      # The parameters of a resource.
      class Parameters < Hash
        def initialize(resource, values)
          super()
          @resource = resource
          values.each { |name, value| store(name, Param.new(name: name, value: value, resource: resource)) }
        end

        def []=(name, parameter)
          super
          @resource[name] = parameter.value
        end
      end
    end

    # The compilation.
    class Compiler
      attr_reader :topscope

      def initialize(scope)
        @scope = scope
        @topscope = Scope.numbered(0)
      end

      def catalog
        @scope.catalog
      end

      def environment
        Node::Environment.current
      end

      def node
        @node ||= Node.new(catalog.name)
      end

      def loaders
        Bunraku.use('functions')
        Loaders
      end

      # Which functions a caller sees is decided by the compiler.
      module Loaders
        class << self
          def private_environment_loader
            Pops::Functions::Loader
          end
          alias public_environment_loader private_environment_loader
          alias puppet_system_loader private_environment_loader

          def find_loader(_module_name)
            private_environment_loader
          end
        end
      end

      def findresource(type, title = nil)
        catalog.resource(type, title)
      end

      def add_resource(scope, resource)
        resource.add_to_catalog(scope)
      end

      def evaluate_classes(names, scope, _lazy = true)
        if names.is_a?(Hash)
          declared = names.to_h { |name, parameters| [name.to_s, parameters || {}] }
          return scope.ask('function.call', 'create_resources', 'class', declared)
        end
        scope.ask('function.call', 'include', *Array(names).map(&:to_s))
      end

      def resources
        catalog.resources
      end

      def call_function(name, *arguments, &block)
        @scope.ask('function.call', name.to_s, *arguments, &block)
      end
    end

    # Finds classes and defined types.
    class ResourceTypes
      def find_hostclass(name)
        Bunraku.ask('catalog.is_class', name.to_s.downcase.delete_prefix('::')) ? Named.new(name.to_s) : nil
      end
      alias hostclass find_hostclass

      def find_definition(name)
        Bunraku.ask('catalog.is_type', name.to_s.downcase.delete_prefix('::')) ? Named.new(name.to_s) : nil
      end
      alias definition find_definition

      # A class or defined type.
      Named = Struct.new(:name)

      # The class, type or node that a scope's code belongs to.
      Source = Struct.new(:name, :type, :module_name, :file, :line)
    end

    class Scope # rubocop:disable Style/Documentation
      def compiler
        @compiler ||= Compiler.new(self)
      end

      def catalog
        @catalog ||= Puppet::Resource::Catalog.new(self)
      end

      def findresource(type, title = nil)
        catalog.resource(type, title)
      end

      # The node's scope, or the top scope.
      def find_global_scope
        Scope.numbered(ask('scope.global'))
      end

      def resource
        answer = ask('catalog.scope_resource')
        answer && Resource.from(answer, self)
      end

      def source
        @source ||= begin
          owner = resource
          is_class = owner.nil? || owner.class?
          name = is_class ? owner&.title.to_s : owner.type
          ResourceTypes::Source.new(name == 'main' ? '' : name.downcase, is_class ? :hostclass : :definition,
                                    ask('variable.find', 'module_name')&.first || '', *owner&.definition_place)
        end
      end

      def known_resource_types
        ResourceTypes.new
      end

      def find_hostclass(name)
        known_resource_types.find_hostclass(name)
      end

      def find_definition(name)
        known_resource_types.find_definition(name)
      end

      def find_resource_type(name)
        known_resource_types.find_definition(name)
      end

      def class_scope(name)
        number = ask('catalog.class_scope', (name.respond_to?(:name) ? name.name : name).to_s.downcase)
        number && Scope.numbered(number)
      end

      def parent
        number = ask('scope.parent')
        number && Scope.numbered(number)
      end

      # The scope of the class that this scope's class inherits.
      def inherited_scope
        number = ask('scope.inherited')
        number && Scope.numbered(number)
      end

      def transform_and_assert_classnames(names)
        names.map { |name| name.to_s.downcase.delete_prefix('::') }
      end
    end
  end
end

module Bunraku
  # Values that functions keep during one compilation.
  class Cache
    def retrieve(owner)
      (@kept ||= {}.compare_by_identity)[owner] ||= {}
    end
    alias [] retrieve

    def clear
      @kept = nil
    end
  end

  def self.cache
    @cache ||= Cache.new.tap { |cache| at_end { cache.clear } }
  end
end
