# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:api_scope, type: :rvalue) do |args|
  case args[0]
  when 'vars' then [lookupvar('x'), lookupvar('::x'), self['x'], lookupvar('api::inner'), exist?('x'), include?('nothing')]
  when 'missing' then lookupvar('nothing_like')
  when 'set' then setvar('made', { 'a' => [1] }) && lookupvar('made')
  when 'hash' then to_hash.key?('x')
  when 'source' then [source.name.to_s, source.type.to_s, source.module_name.to_s]
  when 'resource' then [resource.to_s, resource.type, resource.title.to_s]
  when 'compiler' then [compiler.node.name, compiler.catalog.classes, environment.name.to_s, environment.to_s, host]
  when 'catalog' then [catalog.resources.size > 0, catalog.resource('Class[main]').nil?, findresource('Notify[n]').to_s]
  when 'known' then [known_resource_types.hostclass('api').name, environment.known_resource_types.definition('api::thing').name, find_hostclass('api').name, find_definition('api::thing').name]
  when 'log' then [warning('w'), notice('n'), debug('d'), info('i')]
  when 'raise' then raise Puppet::ParseError, 'from the old one'
  when 'raise_at' then raise Puppet::ParseError.new('at', 'f.pp', 7)
  when 'argument' then raise ArgumentError, 'bad argument'
  when 'call' then call_function('api::twice', [4])
  when 'call_bare' then call_function('notice', 'bare')
  when 'parent' then [parent.class.name, parent&.to_s]
  when 'top' then [is_topscope?, compiler.topscope.to_s, self.to_s]
  when 'lookupdefaults' then lookupdefaults('Notify').transform_keys(&:to_s).transform_values(&:value)
  when 'class_scope' then class_scope(known_resource_types.hostclass('api')).lookupvar('inner')
  when 'qualified' then lookup_qualified_variable('api', 'inner', {})
  when 'true' then [Puppet::Parser::Scope.true?(''), Puppet::Parser::Scope.true?('x'), Puppet::Parser::Scope.true?(:undef)]
  when 'number' then [Puppet::Parser::Scope.number?('5'), Puppet::Parser::Scope.number?('x'), Puppet::Parser::Scope.number?('1.5'), Puppet::Parser::Scope.number?('0x1f')]
  when 'ephemeral' then [lookupvar('0'), lookupvar('1')]
  when 'undefined' then catch(:undefined_variable) { lookupvar('nope') }.inspect
  when 'local' then has_local_variable?('x')
  when 'catalog_tags' then catalog.tags.to_a.include?('settings')
  when 'function_exists' then [Puppet::Parser::Functions.function(:api_args), Puppet::Parser::Functions.function(:nothing_like), Puppet::Parser::Functions.rvalue?(:api_args), Puppet::Parser::Functions.arity(:api_arity)]
  end
end
