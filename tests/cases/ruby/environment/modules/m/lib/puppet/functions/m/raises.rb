require 'json'
Puppet::Functions.create_function(:'m::raises') do
  def raises(kind)
    case kind
    when 'argument' then raise ArgumentError, 'a bad argument'
    when 'parse' then raise Puppet::ParseError, 'a parse error'
    when 'error' then raise Puppet::Error, 'an error'
    when 'nil' then nil.no_method
    when 'json' then JSON.parse('{')
    when 'unknown' then call_function('m::none')
    when 'inner' then call_function('upcase', 1)
    when 'rescued'
      begin
        call_function('fail', 'inside')
      rescue Puppet::Error => e
        "rescued #{e.message}"
      end
    end
  end
end
