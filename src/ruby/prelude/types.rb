# Resource types of modules for a compilation, which needs of Puppet::Type.newtype and
# Puppet::ResourceApi.register_type only the attributes, the namevars, and how titles set them. All
# else (validation, munging, providers) is needed only where resources are applied.

# frozen_string_literal: true

module Puppet
  # Attributes of a type: a class each.
  class Parameter
    include Util
    include Util::Errors
    include Util::Logging
    include Util::MethodHelper

    class << self
      attr_accessor :metaparam, :resource_type, :parenttype, :unmanaged, :array_matching
      attr_reader :default
      attr_writer :attribute_name

      def name
        @attribute_name || super
      end

      def isnamevar
        @isnamevar = true
      end

      def isnamevar?
        @isnamevar
      end
      alias namevar? isnamevar?

      def required?
        @required
      end

      def isrequired
        @required = true
      end

      def sensitive(value = true)
        @sensitive = value
      end

      def desc(text)
        @doc = text
      end

      def doc
        @doc.to_s
      end

      # Allowed values and conversions matter only where resources are applied.
      %i[munge unmunge validate newvalues aliasvalue nodefault initvars newvalue defaultvalues
         required_features required_features= retrieve idempotent idempotent= options event].each do |name|
        define_method(name) { |*, **, &_| nil }
      end

      def defaultto(value = nil, &block)
        raise Puppet::DevError, 'Either a default value or block must be provided' if value.nil? && !block
      end

      def value_collection
        @value_collection ||= Values.new
      end
      alias values value_collection
    end

    # The values of an attribute.
    class Values
      def newvalues(*); end
      alias newvalue newvalues
      alias aliasvalue newvalues

      def values
        []
      end
    end

    Boolean = Class.new(self)
    Path = Class.new(self) do
      def self.accept_arrays(value = true)
        @accept_arrays = value
      end

      def self.arrays?
        @accept_arrays
      end
    end
    PackageOptions = Class.new(self)
  end

  # Attributes that have a state on the host.
  class Property < Parameter
    Boolean = Class.new(self)
    Ensure = Class.new(self)
    List = Class.new(self)
    OrderedList = Class.new(List)
    KeyValue = Class.new(self) do
      singleton_class.attr_accessor :log_only_changed_or_new_keys
    end
  end

  # A provider of a type; only its name is known here.
  class Provider
    class << self
      attr_reader :name

      def method_missing(*)
        nil
      end

      def respond_to_missing?(*)
        true
      end
    end

    # Base classes that modules inherit from.
    %w[ParsedFile NameService Package Exec AixObject].each { |name| const_set(name, Class.new(self)) }
  end

  # The base of resource types.
  class Type
    include Util
    include Util::Errors
    include Util::Logging

    @types = {}
    extend Util::Logging

    class << self
      attr_reader :types, :properties, :type_name
      attr_accessor :self_refresh

      def name
        @type_name || super
      end

      def newtype(name, _options = {}, &block)
        name = name.to_s.downcase.to_sym
        type = Class.new(Type)
        type.begin_type(name)
        constant = name.to_s.split('_').map { |part| part[0].to_s.upcase + part[1..] }.join('_')
        constant = constant[0].upcase + constant[1..]
        Type.send(:remove_const, constant) if Type.const_defined?(constant, false)
        Type.const_set(constant, type) if constant.match?(/\A[A-Z]\w*\z/)
        Type.types[name] = type
        type.class_eval(&block) if block
        type.ensurable if type.ensurable? && !type.validproperty?(:ensure)
        type
      end

      def begin_type(name)
        @type_name = name
        @properties = []
        @parameters = []
        @metaparameters = []
      end

      # Another type: defined by its module, or a bare replacement of a type of the reference.
      def type(name)
        name = name.to_s.downcase.to_sym
        return Type.types[name] if Type.types.key?(name)

        file = Bunraku::Modules.find("puppet/type/#{name}")
        require file if file
        Type.types[name] || (Bunraku::CORE_TYPES.include?(name.to_s) ? newtype(name).take_from_compiler : nil)
      end

      # Takes the attributes of a type of the reference from the compiler, where there is one.
      def take_from_compiler
        answer = Bunraku.ask('catalog.type', name.to_s) or return self
        answer['properties'].each { |one| newproperty(one) }
        answer['parameters'].each { |one| newparam(one, namevar: answer['keys'].include?(one)) }
        self
      end

      def loadall
        Bunraku::CORE_TYPES.filter_map { |one| type(one) }
      end

      def const_missing(name)
        return type(name) || super if equal?(Type)

        # Nested classes of the reference's own types, which do not exist here:
        # Puppet::Type::File::Owner.
        Bunraku::CORE_TYPES.include?(self.name.to_s) ? const_set(name, Class.new(Property)) : super
      end

      def newparam(name, options = {}, &block)
        parameter = add(@parameters, name, options[:parent] || Parameter, &block)
        parameter.isnamevar if options[:namevar]
        parameter
      end

      def newproperty(name, options = {}, &block)
        if validproperty?(name)
          raise Puppet::DevError, "Class #{self.name} already has a property named #{name}"
        end

        property = add(@properties, name, options[:parent] || Property, &block)
        @properties.unshift(@properties.pop) if name.to_sym == :ensure
        property
      end
      alias newstate newproperty

      def newmetaparam(name, _options = {}, &block)
        add(@metaparameters, name, Parameter, &block)
      end

      def ensurable(&block)
        block ? newproperty(:ensure, parent: Property::Ensure, &block) : newproperty(:ensure, parent: Property::Ensure)
      end

      def ensurable?
        %i[exists? create destroy].all? { |name| public_method_defined?(name) }
      end

      def key_attributes
        @parameters.select { |one| one.isnamevar? || one.name == :name }.map(&:name)
      end

      def key_attribute_parameters
        @parameters.select { |one| one.isnamevar? || one.name == :name }
      end

      def title_patterns
        case key_attributes.size
        when 0 then []
        when 1 then [[/(.*)/m, [[key_attributes.first]]]]
        else
          raise Puppet::DevError, 'you must specify title patterns when there are two or more key attributes'
        end
      end

      def isomorphic?
        defined?(@isomorphic) ? @isomorphic : true
      end

      # --- what there is ---

      def parameters
        @parameters.map(&:name)
      end

      def validattrs
        allattrs + metaparams
      end

      def validproperties
        @properties.map(&:name)
      end

      def allattrs
        key_attributes | (parameters & [:provider]) | validproperties | parameters
      end

      def validproperty?(name)
        validproperties.include?(name.to_sym)
      end

      def validparameter?(name)
        parameters.include?(name.to_sym)
      end

      def validattr?(name)
        name.to_sym == :name || validproperty?(name) || validparameter?(name) || metaparam?(name)
      end
      alias valid_parameter? validattr?

      def metaparam?(name)
        metaparams.include?(name.to_sym)
      end

      def metaparams
        %i[noop schedule audit loglevel alias tag require subscribe before notify stage]
      end

      def eachmetaparam(&block)
        metaparams.each(&block)
      end

      def paramclass(name)
        @parameters.find { |one| one.name == name.to_sym }
      end

      def propertybyname(name)
        @properties.find { |one| one.name == name.to_sym }
      end

      def attrclass(name)
        propertybyname(name) || paramclass(name)
      end

      def attrtype(name)
        propertybyname(name) ? :property : :param
      end

      def metaparamclass(_name)
        Parameter
      end

      def provide(name, _options = {}, &_block)
        @has_provider = true
        provider = Class.new(Provider)
        provider.instance_variable_set(:@name, name)
        (@provided ||= {})[name] = provider
      end

      # Types defined by a schema have no attribute `provider`.
      def schema?
        @has_schema
      end

      def provider?
        @has_provider
      end

      def provider(name)
        (@provided ||= {})[name] ||= Class.new(Provider)
      end

      def providers
        (@provided || {}).keys
      end

      def defaultprovider
        nil
      end

      # Declarations without meaning for a compilation.
      %i[autorequire autobefore autosubscribe autonotify validate feature desc apply_to_device apply_to_host
         apply_to_all apply_to has_feature has_features providify suitableprovider instances initvars set_sensitive
         provider_features unprovide].each { |name| define_method(name) { |*, **, &_| nil } }

      def doc
        ''
      end

      private

      def add(list, name, parent, &block)
        attribute = Class.new(parent)
        attribute.attribute_name = name.to_sym
        attribute.resource_type = self
        list << attribute
        attribute.class_eval(&block) if block
        attribute
      end
    end
  end

  # Types defined by a schema.
  module ResourceApi
    def self.register_type(schema)
      Type.newtype(schema.fetch(:name)) do
        @has_schema = true
        keys = []
        schema.fetch(:attributes, {}).each do |name, options|
          kind = options[:behaviour] || options[:behavior]
          keys << name if kind == :namevar
          next ensurable if name == :ensure && kind.nil?

          if %i[namevar parameter].include?(kind)
            newparam(name) { isnamevar if kind == :namevar }
          else
            newproperty(name)
          end
        end
        features = schema[:features] || []
        apply_to_device if features.include?('remote_resource')
        patterns = schema[:title_patterns]
        patterns &&= patterns.map { |one| [one[:pattern], one[:pattern].names.map { |name| [name.to_sym] }] }
        patterns ||= [[/(.*)/m, [[keys.first]]]] if keys.size > 1
        define_singleton_method(:title_patterns) { patterns } if patterns
      end
    end

    def self.register_transport(*); end
  end
end

module Bunraku
  CORE_TYPES = %w[component exec file filebucket group notify package resources schedule service stage tidy user
                  whit augeas cron host mailalias mount nagios_host scheduled_task selboolean selmodule ssh_authorized_key
                  sshkey yumrepo zfs zpool zone].freeze

  # Describes types to the compiler.
  module ResourceTypes
    class << self
      def describe(name, file, is_used)
        before = $LOADED_FEATURES.size
        is_used ? autoload_file(name, file) : load_file(name, file)
        type = Puppet::Type.types[name.to_sym] or
          raise Puppet::Error, "The file #{file} does not define the resource type '#{name}'"
        description(type).merge('files' => [file, *own_files($LOADED_FEATURES.drop(before))].uniq)
      end

      def parse_title(name, file, title)
        load_file(name, file)
        Puppet::Type.types.fetch(name.to_sym).title_patterns.each do |pattern, parts|
          match = pattern.match(title) or next
          return parts.zip(match.captures).to_h do |(attribute, change), text|
            [attribute.to_s, change ? change.call(text) : text]
          end
        end
        nil
      end

      private

      def load_file(name, file)
        @stamps ||= {}
        stamp = File.mtime(file)
        return if @stamps[file] == stamp && Puppet::Type.types.key?(name.to_sym)

        Puppet::Type.types.delete(name.to_sym)
        $LOADED_FEATURES.delete(file)
        require file
        @stamps[file] = stamp
      end

      # For code that uses the type: errors are logged, too.
      def autoload_file(name, file)
        load_file(name, file)
      rescue StandardError, ScriptError => error
        message = "Could not autoload puppet/type/#{name}: #{error.message}"
        Puppet.err(message)
        raise Puppet::Error.new(message, error)
      end

      def own_files(files)
        prefixes = Modules.directories.map { |directory| "#{directory}/" }
        files.select { |file| file.start_with?(*prefixes) }
      end

      def description(type)
        patterns = type.title_patterns
        { 'name' => type.name.to_s, 'isomorphic' => !!type.isomorphic?, 'keys' => texts(type.key_attributes),
          'properties' => texts(type.validproperties), 'parameters' => texts(type.parameters),
          'has_provider' => !!type.provider?, 'has_schema' => !!type.schema?,
          'patterns' => patterns.map { |pattern, parts| [text_of(pattern), texts(parts.map(&:first))] },
          'changes_titles' => patterns.any? { |_, parts| parts.any? { |_, change| changes?(change) } } }
      end

      # The pattern with its options as part of the text: the dot of /x/m matches line ends.
      def text_of(pattern)
        pattern.options.zero? ? pattern.source : pattern.to_s
      end

      def texts(names)
        names.map(&:to_s)
      end

      # Returns whether a capture's proc changes the text. Most such procs only return it: their
      # code reads a local variable and leaves.
      def changes?(change)
        return false if change.nil?

        code = RubyVM::InstructionSequence.of(change)
        return true if code.nil?

        steps = code.to_a.last.grep(Array)
        !(steps.size == 2 && (steps[0][0] == :getlocal_WC_0 || (steps[0][0] == :getlocal && steps[0][2].zero?)) &&
          steps[1][0] == :leave)
      end
    end
  end

  on('types.describe') { |name, file, is_used| ResourceTypes.describe(name, file, is_used) }
  on('types.parse_title') { |name, file, title| ResourceTypes.parse_title(name, file, title) }
end
