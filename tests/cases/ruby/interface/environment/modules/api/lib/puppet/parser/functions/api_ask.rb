# The value of Ruby code in a scope, or what it raises.
module Puppet::Parser::Functions
  newfunction(:api_ask_helper, type: :rvalue) { |arguments| "helped #{arguments.inspect}" }

  newfunction(:api_ask, type: :rvalue, arity: 1) do |arguments|
    begin
      eval(arguments[0])
    rescue StandardError => error
      "#{error.class}! #{error.message}"
    end
  end
end
