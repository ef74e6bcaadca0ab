Puppet::Parser::Functions.newfunction(:m_statement, :arity => 1) do |args|
  function_notice(["statement #{args[0]}"])
  'ignored'
end
