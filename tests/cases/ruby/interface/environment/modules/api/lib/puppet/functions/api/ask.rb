# The value of Ruby code, or what it raises.
Puppet::Functions.create_function(:'api::ask') do
  dispatch :ask do
    param 'String', :code
    repeated_param 'Any', :values
    optional_block_param
  end

  def ask(code, *values)
    eval(code)
  rescue StandardError => error
    "#{error.class}! #{error.message}"
  end
end
