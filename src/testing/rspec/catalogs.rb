
# Catalogs, from the process that compiles to the objects that matchers look at.
module Bunraku
  # The process that compiles. It belongs to the process that has started it.
  class SpecWorker
    class << self
      def instance
        @instance = nil unless @pid == Process.pid
        @pid = Process.pid
        @instance ||= new
      end
    end

    # What modules may write into, for as long as the process lives. It is the other process that removes it, when this one
    # has ended in whatever way.
    attr_reader :vardir

    def initialize
      @io = IO.popen([PROGRAM, 'rspec', '--serve', '--directory'], 'r+b')
      @vardir = @io.gets&.chomp or raise 'bunraku has ended'
      pid = Process.pid
      at_exit { @io.close if Process.pid == pid }
    end

    # The answer's text, for that of a request.
    def ask(request)
      @io.write(request, "\n")
      @io.flush
      @io.gets&.force_encoding(Encoding::UTF_8) or raise 'bunraku has ended'
    end
  end

  # A catalog of Puppet's own objects from the catalog that the process answers with.
  class SpecCatalog
    # Types of the language that take parameters; what else has some names a resource.
    LANGUAGE_TYPES = %w[Any Array Binary Boolean Callable CatalogEntry Collection Data Default Deferred Enum Float Hash Init
                        Integer Iterable Iterator NotUndef Numeric Object Optional Pattern Regexp Resource RichData Runtime
                        Scalar ScalarData SemVer SemVerRange Sensitive String Struct Timespan Timestamp Tuple Type TypeAlias
                        TypeReference TypeSet Undef Unit URI Variant].freeze
    KINDS = { 'Class' => :hostclass, 'Node' => :node }.freeze

    @types = {}
    class << self
      # What resources of a class, define or node have for a type: their manifests are not read here.
      def type_of(data)
        kind = KINDS[data['type']] || (data['kind'] == 'defined_type' ? :definition : nil)
        return unless kind

        name = (kind == :definition ? data['type'] : data['title']).downcase
        @types[[kind, name]] ||= ::Puppet::Resource::Type.new(kind, name)
      end
    end

    def initialize(data, environment, has_rich_values)
      @data = data
      @environment = environment
      @has_rich_values = has_rich_values
    end

    # Resources that the block is true for are left out.
    def build
      catalog = ::Puppet::Resource::Catalog.new(@data['name'], @environment)
      catalog.version = @data['version']
      catalog.catalog_uuid = @data['catalog_uuid'] if @data['catalog_uuid']
      resources = {}
      @data['resources'].each do |data|
        next if block_given? && yield(data)

        resource = resource_of(data)
        resource.catalog = catalog
        resources[resource.ref] = resource
        catalog.add_resource(resource)
      end
      @data['edges'].each do |edge|
        source = resources[edge['source']]
        target = resources[edge['target']]
        catalog.add_edge(source, target) if source && target
      end
      catalog.add_class(*@data['classes'])
      catalog.tag(*@data['tags'])
      catalog
    end

    private

    # Made as the reference makes a resource from serialised data, without what looks for its type.
    def resource_of(data)
      resource = ::Puppet::Resource.allocate
      set = ->(name, value) { resource.instance_variable_set(name, value) }
      set[:@type, data['type']]
      set[:@title, data['title']]
      set[:@kind, data['kind']]
      type = self.class.type_of(data)
      set[:@rstype, type] if type
      set[:@environment, @environment]
      # Code that is no file has a name without letters.
      set[:@file, data['file'] || (data['line'] && '')]
      set[:@line, data['line']]
      set[:@exported, data['exported']]
      set[:@virtual, data['virtual'] || false]
      set[:@sensitive_parameters, (data['sensitive_parameters'] || []).map(&:to_sym)]
      set[:@tags, ::Puppet::Util::TagSet.new(data['tags'])]
      set[:@parameters, {}]
      set[:@parameters, parameters_of(resource, data, type.nil?)]
      resource
    end

    # What the title says comes first, as in the reference's catalogs.
    def parameters_of(resource, data, is_native)
      parameters = is_native ? resource.send(:parse_title) : { name: data['title'] }
      (data['parameters'] || {}).each do |name, value|
        parameters[name.to_sym] = @has_rich_values ? value_of(value) : value
      end
      parameters
    end

    def value_of(value)
      case value
      when Array then value.map { |item| value_of(item) }
      when Hash
        return value.transform_values { |item| value_of(item) } unless value.key?('__ptype')
        return of_type(value['__pvalue']) if value['__ptype'] == 'Type'

        with_references(::Puppet::Pops::Serialization::FromDataConverter.convert(with_pcore_types(value)))
      else value
      end
    end

    # References are types in what the process answers, and resources in the reference's catalogs.
    def of_type(text)
      named = /\A([A-Z]\w*(?:::[A-Z]\w*)*)\[(.*)\]\z/m.match(text)
      return reference(named[1], named[2]) if named && !LANGUAGE_TYPES.include?(named[1])

      with_references(::Puppet::Pops::Types::TypeParser.singleton.parse(text))
    end

    # As the reference reads types within other values.
    def with_pcore_types(value)
      case value
      when Array then value.map { |item| with_pcore_types(item) }
      when Hash
        return value.transform_values { |item| with_pcore_types(item) } unless value['__ptype'] == 'Type'

        type = ::Puppet::Pops::Types::TypeParser.singleton.parse(value['__pvalue'])
        ::Puppet::Pops::Serialization::ToDataConverter.convert(type, rich_data: true)
      else value
      end
    end

    def with_references(value)
      case value
      when ::Puppet::Pops::Types::PResourceType
        value.title ? reference(value.type_name, value.title) : value
      when ::Puppet::Pops::Types::PClassType
        value.class_name ? reference('Class', value.class_name) : value
      when Array then value.map { |item| with_references(item) }
      when Hash then value.to_h { |key, item| [with_references(key), with_references(item)] }
      else value
      end
    end

    def reference(type, title)
      reference = ::Puppet::Resource.allocate
      name = ::Puppet::Resource.type_and_title(type, title)
      reference.instance_variable_set(:@type, name[0])
      reference.instance_variable_set(:@title, name[1])
      reference.instance_variable_set(:@environment, @environment)
      reference.instance_variable_set(:@parameters, {})
      reference.instance_variable_set(:@sensitive_parameters, [])
      reference.instance_variable_set(:@exported, false)
      reference
    end
  end
end
