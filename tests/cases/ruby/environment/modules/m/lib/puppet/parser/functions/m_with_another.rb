module Puppet::Parser::Functions
  newfunction(:'m::beside', type: :rvalue, arity: -2) do |args|
    args.map { |arg| arg.is_a?(Puppet::Resource) ? arg.ref : arg.inspect }.join(',')
  end

  newfunction(:m_with_another, type: :rvalue) do |args|
    call_function('m::beside', args)
  end
end
