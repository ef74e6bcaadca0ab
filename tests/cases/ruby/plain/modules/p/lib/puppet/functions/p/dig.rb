Puppet::Functions.create_function(:'p::dig') do
  dispatch :dig do
    param 'Array', :segments
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def dig(segments, options, context)
    case segments[0]
    when 'd' then segments
    when 'nothing' then nil
    when 'raised' then raise ArgumentError, 'raised here'
    else context.not_found
    end
  end
end
