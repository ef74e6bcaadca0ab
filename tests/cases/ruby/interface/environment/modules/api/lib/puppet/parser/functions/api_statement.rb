# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:api_statement, type: :statement, arity: -2) do |args|
  notice("stated #{args.inspect}")
  'ignored'
end
