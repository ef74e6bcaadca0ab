
# Catalogs: from the compiling process to the objects that matchers use.
module Bunraku
  # The process that compiles, a child of this process.
  class SpecWorker
    # Directories of Ruby itself.
    OF_RUBY = RbConfig::CONFIG.values_at(*%w[rubylibdir rubyarchdir sitedir sitelibdir sitearchdir vendordir vendorlibdir vendorarchdir]).freeze
    # Ruby code of modules finds the libraries that this process found at its start, such as those of Bundler, which need not
    # search for them again.
    ENVIRONMENT = {
      'RUBYLIB' => ($LOAD_PATH - OF_RUBY).join(File::PATH_SEPARATOR),
      'RUBYOPT' => ENV['RUBYOPT']&.gsub(%r{-r\S*bundler/setup\b}, '')
    }.freeze

    class << self
      def instance
        @instance = nil unless @pid == Process.pid
        @pid = Process.pid
        @instance ||= new
      end
    end

    # A directory that modules may write to while the process lives. The child process removes it,
    # even when this one is killed.
    attr_reader :vardir

    def initialize
      @io = IO.popen([ENVIRONMENT, PROGRAM, 'rspec', '--serve', '--directory'], 'r+b')
      @vardir = @io.gets&.chomp or raise 'bunraku has ended'
      pid = Process.pid
      at_exit { @io.close if Process.pid == pid }
    end

    # Sends a request and returns the answer, both as text.
    def ask(request)
      @io.write(request, "\n")
      @io.flush
      @io.gets&.force_encoding(Encoding::UTF_8) or raise 'bunraku has ended'
    end
  end

  # Makes a catalog of Puppet's own objects from the process's answer.
  class SpecCatalog
    # Types of the language that accept parameters; any other type names a resource.
    LANGUAGE_TYPES = %w[Any Array Binary Boolean Callable CatalogEntry Collection Data Default Deferred Enum Float Hash Init
                        Integer Iterable Iterator NotUndef Numeric Object Optional Pattern Regexp Resource RichData Runtime
                        Scalar ScalarData SemVer SemVerRange Sensitive String Struct Timespan Timestamp Tuple Type TypeAlias
                        TypeReference TypeSet Undef Unit URI Variant].freeze
    KINDS = { 'Class' => :hostclass, 'Node' => :node }.freeze

    @types = {}
    class << self
      # The type of resources of a class, definition or node; their manifests are not read here.
      def type_of(data)
        kind = KINDS[data['type']] || (data['kind'] == 'defined_type' ? :definition : nil)
        return unless kind

        name = (kind == :definition ? data['type'] : data['title']).downcase
        @types[[kind, name]] ||= ::Puppet::Resource::Type.new(kind, name)
      end

      # A resource with only a name.
      def reference(type, title, environment)
        reference = ::Puppet::Resource.allocate
        { type: type, title: title, environment: environment, parameters: {}, sensitive_parameters: [], exported: false }
          .each { |name, value| reference.instance_variable_set("@#{name}", value) }
        reference
      end
    end

    def initialize(data, environment, has_rich_values)
      @data = data
      @environment = environment
      @has_rich_values = has_rich_values
    end

    # A catalog whose resources become objects when matchers use them.
    def late
      catalog = empty
      catalog.extend(Late)
      catalog.instance_variable_set(:@bunraku_late, Rest.new(catalog, @data) { |data| resource_of(data) })
      catalog
    end

    # Leaves out resources for which the block returns true.
    def build(&block)
      data = block ? @data.merge('resources' => @data['resources'].reject(&block)) : @data
      empty.tap { |catalog| Rest.new(catalog, data) { |resource| resource_of(resource) }.fill }
    end

    # The data of a catalog's resources while not all of them are objects; nil otherwise.
    def self.data_of(catalog)
      catalog.instance_variable_get(:@bunraku_late)&.resources
    end

    private

    def empty
      catalog = ::Puppet::Resource::Catalog.new(@data['name'], @environment)
      catalog.version = @data['version']
      catalog.catalog_uuid = @data['catalog_uuid'] if @data['catalog_uuid']
      catalog.add_class(*@data['classes'])
      catalog.tag(*@data['tags'])
      catalog
    end

    # Makes a resource as the reference does from serialised data, but without searching its type.
    def resource_of(data)
      resource = ::Puppet::Resource.allocate
      set = ->(name, value) { resource.instance_variable_set(name, value) }
      set[:@type, data['type']]
      set[:@title, data['title']]
      set[:@kind, data['kind']]
      type = self.class.type_of(data)
      set[:@rstype, type] if type
      set[:@environment, @environment]
      # For code that is not in a file, the file name is empty.
      set[:@file, data['file'] || (data['line'] && '')]
      set[:@line, data['line']]
      set[:@exported, data['exported']]
      set[:@virtual, data['virtual'] || false]
      set[:@sensitive_parameters, (data['sensitive_parameters'] || []).map(&:to_sym)]
      set[:@tags, ::Puppet::Util::TagSet.new(data['tags'])]
      set[:@parameters, {}]
      set[:@parameters, parameters_of(resource, data, type.nil?)]
      # The data of the resource, and the state that its parameters have while they are unchanged.
      set[:@bunraku_data, [data, resource.instance_variable_get(:@parameters).hash]]
      resource
    end

    # As in the reference's catalogs, the attributes from the title come first.
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

        without_binary(with_references(::Puppet::Pops::Serialization::FromDataConverter.convert(with_pcore_types(value))))
      else value
      end
    end

    # References are types in the process's answers, but resources in the reference's catalogs.
    def of_type(text)
      named = /\A([A-Z]\w*(?:::[A-Z]\w*)*)\[(.*)\]\z/m.match(text)
      return reference(named[1], named[2]) if named && !LANGUAGE_TYPES.include?(named[1])

      with_references(::Puppet::Pops::Types::TypeParser.singleton.parse(text))
    end

    # Converts types within other values to the form that the reference reads there.
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

    # Where catalogs are compiled and applied by one process, the reference replaces binary values by their bytes, but for keys.
    def without_binary(value)
      case value
      when ::Puppet::Pops::Types::PBinaryType::Binary then value.binary_buffer
      when ::Puppet::Pops::Types::PSensitiveType::Sensitive then value.class.new(without_binary(value.unwrap))
      when Array then value.map { |item| without_binary(item) }
      when Hash then value.transform_values { |item| without_binary(item) }
      else value
      end
    end

    def reference(type, title)
      self.class.reference(*::Puppet::Resource.type_and_title(type, title), @environment)
    end

    # The resources that a catalog does not have yet. The block makes a resource.
    class Rest
      def initialize(catalog, data, &block)
        @catalog = catalog
        @data = data
        @make = block
        @made = {}.compare_by_identity
      end

      def resources
        @data['resources']
      end

      # Adds the resource with the title, or, when there is none, all resources of the type, as one
      # may have another name.
      def find(type, title)
        return if @works

        type = type.name if type.is_a?(::Puppet::Resource::Type) || type.is_a?(::Puppet::CompilableResourceType)
        type, title = ::Puppet::Resource.type_and_title(type, title)
        working do
          data = index[[type, title.to_s]]
          data ? add(data) : resources.each { |other| add(other, true) if other['type'] == type }
        end
      rescue ArgumentError
        nil # the catalog says it
      end

      def fill
        return if @works

        working do
          table.clear
          @catalog.instance_variable_get(:@aliases).clear
          resources.each { |data| @catalog.add_resource(made(data)) }
          add_edges
        end
        name = :@bunraku_late
        @catalog.remove_instance_variable(name) if @catalog.instance_variable_defined?(name)
      end

      private

      # Meanwhile the catalog's own methods are used.
      def working
        @works = true
        yield
      ensure
        @works = false
      end

      def table
        @catalog.instance_variable_get(:@resource_table)
      end

      def index
        @index ||= resources.to_h { |data| [[data['type'], data['title']], data] }
      end

      def made(data)
        @made[data] ||= @make.call(data).tap { |resource| resource.catalog = @catalog }
      end

      def add(data, with_aliases = false)
        resource = made(data)
        table[[data['type'], data['title']]] ||= resource
        @catalog.send(:create_resource_aliases, resource) if with_aliases
      end

      def add_edges
        made = @made.each_value.to_h { |resource| [resource.ref, resource] }
        @data['edges'].each do |edge|
          source = made[edge['source']]
          target = made[edge['target']]
          @catalog.add_edge(source, target) if source && target
        end
      end
    end

    # Methods of the catalog. All except the look-up of one resource need the whole catalog.
    module Late
      PARTS = %i[name name= version version= environment environment= environment_instance environment_instance= catalog_uuid
                 catalog_uuid= classes tags tag tagged? host_config host_config= title_key_for_ref].freeze

      (::Puppet::Resource::Catalog.instance_methods - ::Object.instance_methods - PARTS + %i[inspect dup clone]).each do |name|
        define_method(name) do |*arguments, **options, &block|
          @bunraku_late&.fill
          super(*arguments, **options, &block)
        end
      end

      def resource(type, title = nil)
        @bunraku_late&.find(type, title)
        super
      end
    end
  end
end
