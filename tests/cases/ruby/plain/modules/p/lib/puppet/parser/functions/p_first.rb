Puppet::Parser::Functions.newfunction(:p_first, type: :rvalue) do |arguments|
  arguments[0]
end
