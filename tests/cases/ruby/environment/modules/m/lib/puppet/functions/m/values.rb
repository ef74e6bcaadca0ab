# Returns values of kinds that only Ruby has.
Puppet::Functions.create_function(:'m::values') do
  def values(kind)
    case kind
    when 'symbol' then [:default]
    when 'sensitive' then Puppet::Pops::Types::PSensitiveType::Sensitive.new('secret')
    when 'regexp' then /a.c/
    when 'version' then SemanticPuppet::Version.parse('1.2.3-rc1')
    when 'binary' then Puppet::Pops::Types::PBinaryType::Binary.from_binary_string("\x00\xff")
    when 'timespan' then Puppet::Pops::Time::Timespan.new(1_500_000_000)
    when 'large' then 2**62
    when 'float' then 1e100
    when 'same' then [text = 'x', text, { text => text }]
    end
  end
end
