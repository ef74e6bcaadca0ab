# The value of Ruby code within a function, or the error that it raised.
Puppet::Functions.create_function(:'m::run', Puppet::Functions::InternalFunction) do
  dispatch :run do
    scope_param
    param 'String', :code
    repeated_param 'Any', :arguments
    optional_block_param
  end

  def run(scope, code, *arguments, &block)
    shown(eval(code, binding))
  rescue StandardError => e
    "#{e.class}: #{e.message.lines.first.to_s.chomp}"
  end

  def shown(value)
    case value
    when String, Numeric, true, false, nil then value
    when Array then value.map { |item| shown(item) }
    when Hash then value.to_h { |key, item| [shown(key), shown(item)] }
    when Symbol then ":#{value}"
    else "#{value.class} #{value}"
    end
  end
end
