# frozen_string_literal: true

Puppet::Functions.create_function(:'api::rich') do
  dispatch :run do
    param 'String', :what
    optional_param 'Any', :value
  end

  def run(what, value = nil)
    sensitive = Puppet::Pops::Types::PSensitiveType::Sensitive
    binary = Puppet::Pops::Types::PBinaryType::Binary
    case what
    when 'sensitive' then [sensitive.new('x'), sensitive.new('x').unwrap, sensitive.new('x').to_s, value.unwrap, value.inspect, value == sensitive.new('s')]
    when 'binary' then [binary.from_base64('YWJj').to_s, binary.from_string('é').to_s, binary.from_binary_string("\xff".b).binary_buffer.bytes, value.binary_buffer.bytesize, binary.new('abc')]
    when 'semver' then [SemanticPuppet::Version.parse('1.2.3-rc1+b'), value.major, value > SemanticPuppet::Version.parse('1.0.0'), value.to_s, SemanticPuppet::Version.valid?('x'), SemanticPuppet::VersionRange.parse('>=1.0.0 <2.0.0').include?(value), value.prerelease, value.next(:minor).to_s]
    when 'range' then [value.to_s, value.include?(SemanticPuppet::Version.parse('1.5.0')), value.begin.to_s]
    when 'timespan' then [value.to_s, value.total_seconds, value.hours, value.format('%H:%M'), Puppet::Pops::Time::Timespan.parse('1-02:03:04').to_s, Puppet::Pops::Time::Timespan.from_hash('hours' => 2), value + value, value.to_hash]
    when 'timestamp' then [value.to_s, value.format('%Y'), Puppet::Pops::Time::Timestamp.parse('2020-01-01T00:00:00'), value.to_i, (value - value).to_s]
    when 'regexp' then [value.source, value.match?('abc'), 'a1'.sub(value, 'x'), value]
    when 'default' then [value, value.class.name, value == :default]
    when 'undef' then [value.nil?, [nil], { 'a' => nil }, :undef]
    when 'type' then [value.class.name, value.to_s, value]
    when 'uri' then [value.class.name, value.to_s]
    when 'big' then [2**62, -(2**63), 2**63 - 1, 1.0e300, 0.1]
    when 'toobig' then 2**64
    when 'symbol' then [:a, { b: :c }]
    when 'string' then ["\u00e9", 'x'.encode('ISO-8859-1'), "a\0b", 'q' * 3]
    when 'bad' then "\xff\xfe"
    when 'set' then require('set') && Set[1, 2]
    when 'range_ruby' then (1..3)
    when 'time' then Time.at(0)
    when 'struct' then Struct.new(:a).new(1)
    when 'rational' then Rational(1, 2)
    when 'nan' then Float::NAN
    when 'proc' then proc { 1 }
    when 'enumerator' then [1, 2].each
    when 'frozen' then value.frozen?
    when 'subclass' then Class.new(String).new('sub')
    when 'hash_default' then Hash.new { |h, k| h[k] = 1 }.tap { |h| h['a'] }
    when 'keys' then { 1 => 'a', nil => 'b', [1] => 'c', 1.5 => 'd', true => 'e' }
    end
  end
end
