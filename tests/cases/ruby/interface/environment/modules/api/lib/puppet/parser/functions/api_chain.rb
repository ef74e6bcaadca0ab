# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:api_chain, type: :rvalue) do |args|
  Puppet::Parser::Functions.function(:api_arity)
  Puppet::Parser::Functions.function(:api_args)
  [function_api_arity([1, 2]), function_api_args([nil, :undef, 'x'])[1], send('function_sprintf', ['%s-%s', 1, 2]), function_versioncmp(['1', '2']), function_fqdn_rand([5, 'x']).class.name]
end
