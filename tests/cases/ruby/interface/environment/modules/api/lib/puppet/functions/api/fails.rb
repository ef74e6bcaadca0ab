Puppet::Functions.create_function(:'api::fails') do
  def fails(how)
    case how
    when 'place' then raise Puppet::ParseError.new('a place', '/f.pp', 3, 4)
    when 'line' then raise Puppet::ParseError.new('a line', '/f.pp', 3)
    when 'preformatted' then raise Puppet::PreformattedError, 'as it is'
    when 'lookup' then raise Puppet::DataBinding::LookupError, 'not found'
    when 'constant' then NoSuchConstant
    end
  end
end
