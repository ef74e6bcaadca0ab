# Converts values to and from the JSON that `bunraku eval` prints and reads ("rich data").
module Oracle
  module RichData
    TYPE = '__ptype'
    VALUE = '__pvalue'
    Types = Puppet::Pops::Types

    # No sensible test shows more items of an endless iterator.
    LONGEST_ITERATOR = 100_000

    # The text form of each class that is written as text.
    AS_TEXT = {
      SemanticPuppet::Version => 'SemVer',
      SemanticPuppet::VersionRange => 'SemVerRange',
      Puppet::Pops::Time::Timestamp => 'Timestamp',
      Puppet::Pops::Time::Timespan => 'Timespan',
      URI::Generic => 'URI',
      Types::PBinaryType::Binary => 'Binary',
      Types::PAnyType => 'Type'
    }.freeze

    def self.encode(value)
      case value
      when nil, true, false, Integer, Float then value
      when String then encode_string(value)
      when :default then { TYPE => 'Default' }
      when :undef then nil
      when Symbol then value.to_s
      when Array then value.map { |element| encode(element) }
      when Hash then encode_hash(value)
      when Regexp then { TYPE => 'Regexp', VALUE => value.source }
      when Types::PSensitiveType::Sensitive then { TYPE => 'Sensitive', VALUE => encode(value.unwrap) }
      else encode_other(value)
      end
    end

    def self.encode_string(value)
      return value unless value.encoding == Encoding::ASCII_8BIT
      binary = Types::PBinaryType::Binary.from_binary_string(value)
      { TYPE => 'Binary', VALUE => binary.to_s }
    end

    def self.encode_hash(hash)
      if hash.keys.all? { |key| key.is_a?(String) && key != TYPE }
        hash.transform_values { |element| encode(element) }
      else
        { TYPE => 'Hash', VALUE => hash.flat_map { |key, element| [encode(key), encode(element)] } }
      end
    end

    def self.encode_other(value)
      _, name = AS_TEXT.find { |klass, _| value.is_a?(klass) }
      return { TYPE => name, VALUE => text(value) } if name
      return encode(items_of(value)) if value.is_a?(Types::Iterable)
      return encode_object(value) if value.is_a?(Types::PuppetObject)
      return encode_attributes('Error', value) if value.is_a?(Puppet::DataTypes::Error)
      return { TYPE => 'Type', VALUE => value.ref } if value.is_a?(Puppet::Resource)
      raise Unrepresentable, "#{value.class} has no form as rich data"
    end

    # An enumerator would accept more than one argument, and yield the elements of arrays and hashes
    # separately.
    def self.items_of(iterable)
      items = []
      iterable.each do |item|
        items << item
        break if items.size >= LONGEST_ITERATOR
      end
      items
    end

    # Like interpolation in a string, except that the name of an alias is used literally.
    def self.text(value)
      return value.name if value.is_a?(Types::PTypeAliasType)
      Types::StringConverter.singleton.convert(value)
    end

    def self.encode_object(value)
      encode_attributes(value._pcore_type.name, value)
    end

    def self.encode_attributes(name, value)
      { TYPE => name }.merge(value._pcore_init_hash.transform_values { |element| encode(element) })
    end

    def self.decode(data)
      case data
      when Array then data.map { |element| decode(element) }
      when Hash then data.key?(TYPE) ? decode_typed(data) : data.transform_values { |element| decode(element) }
      else data
      end
    end

    def self.decode_typed(data)
      value = data[VALUE]
      case data[TYPE]
      when 'Default' then :default
      when 'Hash' then value.each_slice(2).to_h { |key, element| [decode(key), decode(element)] }
      when 'Sensitive' then Types::PSensitiveType::Sensitive.new(decode(value))
      when 'Regexp' then Regexp.new(value)
      when 'Type' then Types::TypeParser.singleton.parse(value)
      else Puppet::Pops::Serialization::FromDataConverter.convert(data)
      end
    end

    class Unrepresentable < StandardError; end
  end
end
