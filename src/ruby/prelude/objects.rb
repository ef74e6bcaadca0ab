# Instances of Object types, and URIs, in the form in which they are sent: see
# ruby/worker/marshal.h.

# frozen_string_literal: true

module Bunraku
  # The sent form of a URI.
  class UriText
    def self._load(content)
      require 'uri'
      ::URI.parse(content)
    end
  end

  # An instance of an Object type: its attributes by name; the compiler answers calls of methods.
  class ObjectValue
    include Puppet::Pops::Types::PuppetObject

    attr_reader :type_name, :attributes

    def marshal_load(content)
      @handle, @type_name, @attributes = content
      extend(LookupContext) if @type_name == 'Puppet::LookupContext'
    end

    # The context that data functions get as their argument.
    module LookupContext
      # What blocks returned for the text of files, by path, kept here until the compilation ends so
      # that it is not sent for each look-up.
      @file_data = {}
      Bunraku.at_end { @file_data.clear }

      class << self
        attr_reader :file_data
      end

      def environment_name
        @attributes['environment_name'].to_sym
      end

      def cached_file_data(*arguments, &block)
        LookupContext.file_data.fetch(arguments[0]) do |path|
          own = nil
          keep = ->(text) { own = block.call(text) }
          sent = ask_compiler('cached_file_data', arguments, block && keep)
          LookupContext.file_data[path] = own.nil? ? sent : own
        end
      end
    end

    def marshal_dump
      [@handle, @type_name, @attributes]
    end

    def self.make(type_name, attributes)
      allocate.tap { |object| object.marshal_load([nil, type_name, attributes]) }
    end

    def _pcore_type
      Puppet::Pops::Types::TypeParser.singleton.parse(@type_name)
    end

    def _pcore_init_hash
      @attributes
    end

    def [](name)
      @attributes[name]
    end

    def ==(other)
      other.is_a?(ObjectValue) && other.type_name == @type_name && other.attributes == @attributes
    end
    alias eql? ==

    def hash
      [@type_name, @attributes].hash
    end

    # The methods of that context.
    CONTEXT_METHODS = %i[environment_name module_name cache cache_all cache_has_key cached_value cached_entries
                         cached_file_data explain interpolate not_found].freeze

    def respond_to_missing?(name, include_all = false)
      return true if @attributes.key?(name.to_s)
      return super if @handle.nil? || name.to_s.start_with?('to_', 'marshal_', '_')
      return CONTEXT_METHODS.include?(name) || super if @type_name == 'Puppet::LookupContext'

      Bunraku.ask('object.has_method', @handle, name.to_s)
    end

    def method_missing(name, *arguments, &block)
      return @attributes[name.to_s] if arguments.empty? && @attributes.key?(name.to_s)
      return super if @handle.nil? || name.to_s.start_with?('to_') || !respond_to_missing?(name)

      ask_compiler(name.to_s, arguments, block)
    end

    private

    def ask_compiler(name, arguments, block)
      Bunraku.ask_in(Bunraku.scope.number, 'object.call', [@handle, name, *arguments], block)
    end
  end
end
