# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:api_args, type: :rvalue) do |args|
  [args.class.name, args.map { |a| a.class.name }, args]
end
