module Puppet::Parser::Functions
  newfunction(:m_old, :type => :rvalue, :arity => -2, :doc => 'Of the older interface.') do |args|
    raise Puppet::ParseError, "m_old(): #{args[1]}" if args[0] == 'fail'

    [args.map { |arg| [arg.class.name, arg.to_s] }, lookupvar('x'), self['x'], function_sprintf(['%s-%d', 'abc', 1])]
  end
end
