Puppet::Parser::Functions.newfunction(:p_say, type: :statement) do |args|
  function_notice([args.join(' ')])
end
