module Puppet::Parser::Functions
  newfunction(:p_sum, :type => :rvalue, :arity => -2, :doc => <<-END
Adds numbers, and says of what node.
  END
  ) do |args|
    raise(Puppet::ParseError, "p_sum(): nothing to add") if args[0].empty?
    numbers = args.shift
    first = numbers.collect { |number|
      next if number == ''
      number
    }.compact
    [first.inject(0) { |sum, number| sum + number }, lookupvar('top'), args.size]
  end
end
