# Data types of modules: Puppet::DataTypes.create_type. The compiler makes the type and its
# instances from the interface; requests for their methods are answered here.

# frozen_string_literal: true

module Puppet
  # Data types that modules define.
  module DataTypes
    class << self
      def create_type(name, &block)
        builder = TypeBuilder.new(name.to_s)
        TypeBuilderAPI.new(builder).freeze.instance_eval(&block)
        raise ::ArgumentError, 'a data type must have an interface' unless builder.interface.is_a?(String)

        builder
      rescue StandardError => error
        raise ::ArgumentError, "Data Type Load Error for type '#{name}': #{error.message}"
      end
    end

    # The definition of a type in a file.
    class TypeBuilder
      attr_reader :name
      attr_accessor :interface, :implementation, :implementation_class

      def initialize(name)
        @name = name
      end

      def has_implementation?
        !(@implementation.nil? && @implementation_class.nil?)
      end
    end

    # The methods for the block of create_type.
    class TypeBuilderAPI
      def initialize(builder)
        @builder = builder
      end

      def interface(text)
        raise ::ArgumentError, 'a data type can only have one interface' unless @builder.interface.nil?

        @builder.interface = text
      end

      def implementation(&block)
        only_one
        @builder.implementation = block
      end

      def implementation_class(ruby_class)
        only_one
        @builder.implementation_class = ruby_class
      end

      def load_file(name)
        require Bunraku::Modules.find(name) || name
      end

      private

      def only_one
        raise ::ArgumentError, 'a data type can only have one implementation' if @builder.has_implementation?
      end
    end
  end
end

module Bunraku
  # The data types of this worker, by file.
  module DataTypes
    # The base class of types without a class of their own: attributes are instance variables.
    class Instance
      include Puppet::Pops::Types::PuppetObject

      def bunraku_fill(attributes)
        attributes.each { |name, value| instance_variable_set("@#{name}", value) }
        self
      end
    end

    @known = {}
    @classes = {}

    class << self
      def fetch(name, file)
        stamp = File.mtime(file)
        known = @known[file]
        return known[1] if known && known[0] == stamp

        @classes.clear
        (@known[file] = [stamp, Isolation.loading { load(name, file, File.read(file)) }])[1]
      end

      def describe(name, file)
        type = fetch(name, file)
        { 'name' => type.name, 'interface' => type.interface, 'methods' => methods_of(type).map(&:to_s) }
      end

      # `chain` has the name and file of each type with code, the oldest ancestor first;
      # `attributes` are in the order in which `new` takes them.
      def call(chain, method, attributes, arguments, &block)
        object = instance(class_for(chain, attributes.keys), attributes)
        object.public_send(method, *arguments, &block)
      end

      private

      def load(name, file, source)
        unless source.include?('Puppet::DataTypes.create_type')
          raise ArgumentError, "The code loaded from #{file} does not seem to be a Puppet 5x API data type - " \
                               'no create_type call.'
        end
        created = eval(source, TOPLEVEL_BINDING.dup, file, 1)
        unless created.is_a?(Puppet::DataTypes::TypeBuilder)
          raise ArgumentError, "The code loaded from #{file} did not produce a data type when evaluated. " \
                               "Got '#{created.class}'"
        end
        return created if created.name.casecmp?(name)

        raise ArgumentError, "The code loaded from #{file} produced mis-matched name, expected '#{name}', " \
                             "got #{created.name}"
      end

      def methods_of(type)
        if type.implementation_class
          type.implementation_class.public_instance_methods - Object.public_instance_methods
        elsif type.implementation
          Class.new(Instance, &type.implementation).public_instance_methods(false)
        else
          []
        end
      end

      def class_for(chain, attributes)
        @classes[[chain, attributes]] ||= chain.map { |name, file| fetch(name, file) }.inject(base(attributes)) do |above, type|
          next type.implementation_class if type.implementation_class

          Class.new(above) { class_eval(&type.implementation) if type.implementation }
        end
      end

      def base(attributes)
        Class.new(Instance) { attributes.each { |name| attr_reader(name) } }
      end

      def instance(type, attributes)
        return type.allocate.bunraku_fill(attributes) if type <= Instance

        type.new(*attributes.values)
      end
    end
  end

  on('data_types.describe') { |name, file| DataTypes.describe(name, file) }
  on('data_types.call') do |chain, method, attributes, *arguments, &block|
    DataTypes.call(chain, method, attributes, arguments, &block)
  end
end
