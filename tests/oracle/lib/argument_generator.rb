require_relative 'matching_text'
require_relative 'random_choice'

# Random arguments for functions of modules, in the syntax of the language, by the types that a signature wants.
module Oracle
  class ArgumentGenerator
    include RandomChoice
    Types = Puppet::Pops::Types

    STRINGS = ['', 'a', 'b c', 'key=value', 'Ünïcode', "line\nbreak\n", '10', '007', '-3', '3.7', '1e3', 'a,b,,c', '%d', 'x"y', "it's", '  pad ',
               'true', 'no', 'undef', 'present', 'absent', 'running', '/etc/hosts', '/a//b/../c', 'C:\\Windows\\x', 'file:///tmp/x',
               'puppet:///modules/a/b', 'https://user:pw@example.com:8443/a/b?c=d#e', 'http://localhost', 'user@example.com', 'www.example.com',
               'UPPER', 'snake_case_name', 'CamelCase', 'a::b::c', '$var', '${x}', '#{y}', '\\d+\\s', '*.txt', '192.168.1.17', '10.0.0.0/8',
               '192.168.1.1/255.255.255.0', '10.0.0.1-10.0.0.9', '::1', 'fe80::1', '2001:db8::/32', '256.1.1.1', '00:11:22:aa:bb:cc', '1.2.3', '1.10.0-rc1',
               '>= 1.0.0 < 2.0.0', '10M', '1.5 GB', '2k', '15s', '1 day', '0644', 'u=rw,go=r', 'c2VjcmV0', 'not base64!', '*' * 70, '{"a": [1, null]}',
               "a: 1\nb: [x, y]\n", '<a b="c">&amp;</a>', 'deadbeef', 'SHA256', 'sha1', 'md5', '2024-02-29', 'UTC', 'ssh-rsa', '22', '8080', '-Xmx512m'].freeze
    INTEGERS = [0, 1, 2, 3, 5, 7, 8, 10, 16, 22, 24, 32, 60, 64, 80, 100, 128, 255, 256, 443, 1000, 1024, 3306, 8080, 65_535, 65_536, -1, -8, 2**31, 2**40, -(2**33)].freeze
    FLOATS = [0.0, 0.5, 1.0, 2.25, -3.75, 100.0, 1e20, 1.0e-5].freeze
    KEYS = %w[ensure name mode owner path port user value type a b options].freeze

    def initialize(seed)
      @random = Random.new(seed)
      scalars = STRINGS + INTEGERS + FLOATS + [true, false, nil, :default, /a.c/, /^\d+$/]
      @pool = scalars + Array.new(60) { plain(2) } + ['s', ['x'], 7].map { |value| Types::PSensitiveType::Sensitive.new(value) }
      @fitting = {}
      @texts = MatchingText.new(@random)
    end

    # The arguments of one call, as values.
    def arguments(signature)
      tuple = signature.type.param_types
      least, most = tuple.size_range
      most = [most == Float::INFINITY ? least + 3 : most, least + 6].min
      wanted = chance(5) ? @random.rand(0..3) : @random.rand(least..most)
      Array.new(wanted) do |i|
        type = tuple.types[i] || tuple.types.last
        type.nil? ? pick(@pool) : value_of(type)
      end
    end

    # A value of a type; in some percent of the calls any value.
    def value_of(type, any_value: 8)
      chance(any_value) ? pick(@pool) : of(type)
    end

    # A lambda for a signature that takes one.
    def lambda_for(signature)
      wanted = signature.block_type
      return '' if wanted.nil? || (wanted.is_a?(Types::POptionalType) && chance(40))
      pick([' |*$x| { $x }', ' |$x| { $x }', ' |$x, $y| { [$y, $x] }', ' |$x| { "<${x}>" }', ' |$x| { true }', ' |*$x| { undef }'])
    end

    # The code of a value.
    def code(value)
      case value
      when nil then 'undef'
      when :default then 'default'
      when String then quoted(value)
      when Array then "[#{value.map { |item| code(item) }.join(', ')}]"
      when Hash then "{#{value.map { |key, item| "#{code(key)} => #{code(item)}" }.join(', ')}}"
      when Regexp then "/#{value.source}/"
      when Types::PSensitiveType::Sensitive then "Sensitive(#{code(value.unwrap)})"
      else value.to_s
      end
    end

    private

    def quoted(text)
      "'#{text.gsub(/[\\']/) { |c| "\\#{c}" }}'"
    end

    def plain(depth)
      case @random.rand(depth.zero? ? 6 : 10)
      when 0..2 then pick(STRINGS)
      when 3 then pick(INTEGERS)
      when 4 then pick([true, false])
      when 5 then pick([nil, 2.5])
      when 6, 7 then Array.new(@random.rand(0..4)) { plain(depth - 1) }
      else Array.new(@random.rand(0..4)) { [pick(KEYS), plain(depth - 1)] }.to_h
      end
    end

    # A value of a type, or any value if none is found.
    def of(type, depth = 3)
      made = chance(75) && depth.positive? ? made_of(type, depth - 1) : nil
      return made[0] if made
      fitting = @fitting[type] ||= @pool.select { |value| type.instance?(value) }
      return pick(fitting) unless fitting.empty?
      made = depth.positive? && made_of(type, depth - 1)
      made ? made[0] : pick(@pool)
    end

    # A list of one value, or nothing for types of which no value can be put together.
    def made_of(type, depth)
      case type
      when Types::PTypeAliasType then [of(type.resolved_type, depth)]
      when Types::PNotUndefType, Types::POptionalType then type.type && [of(type.type, depth)]
      when Types::PVariantType then [of(pick(type.types), depth)]
      when Types::PPatternType then type.patterns.empty? ? nil : @texts.of(pick(type.patterns).regexp)&.then { |text| [text] }
      when Types::PEnumType then type.values.empty? ? nil : [pick(type.values)]
      when Types::PArrayType then [Array.new(count(type.size_type, 4)) { of(type.element_type || any, depth) }]
      when Types::PTupleType then [Array.new(type.size_range[0]) { |i| of(type.types[i] || type.types.last, depth) }]
      when Types::PStructType then [struct(type, depth)]
      when Types::PHashType then [Array.new(count(type.size_type, 4)) { [key_of(type, depth), of(type.value_type || any, depth)] }.to_h]
      when Types::PIntegerType then [integer(type)]
      when Types::PSensitiveType then [Types::PSensitiveType::Sensitive.new(of(type.type, depth))]
      end
    end

    def any
      Types::TypeFactory.rich_data
    end

    def count(size_type, most)
      least, = size_type ? size_type.range : [0]
      least = 0 if least.is_a?(Float)
      @random.rand(least..[least, most].max)
    end

    def key_of(type, depth)
      key = of(type.key_type || any, [depth, 1].min)
      key.is_a?(String) || !chance(50) ? key : pick(KEYS)
    end

    def struct(type, depth)
      type.elements.filter_map do |element|
        next if element.key_type.is_a?(Types::POptionalType) && chance(50)
        [element.name, of(element.value_type, depth)]
      end.to_h
    end

    def integer(type)
      least, most = type.range
      fitting = INTEGERS.select { |value| value >= least && value <= most }
      fitting.empty? ? least : pick(fitting)
    end
  end
end
