Puppet::Parser::Functions.newfunction(:m_create, arity: -3) do |args|
  kind, title, parameters = args
  case kind
  when 'resource'
    one = Puppet::Parser::Resource.new('notify', title, scope: self, source: source)
    (parameters || {}).each { |name, value| one.set_parameter(name, value) }
    compiler.add_resource(self, one)
  when 'parameters'
    list = parameters.map { |name, value| Puppet::Parser::Resource::Param.new(name: name, value: value, source: source) }
    compiler.add_resource(self, Puppet::Parser::Resource.new('notify', title, scope: self, source: source, parameters: list))
  when 'virtual'
    compiler.add_resource(self, Puppet::Parser::Resource.new('notify', title, scope: self, source: source, virtual: true))
  when 'create_resources' then function_create_resources(['notify', { title => parameters || {} }])
  when 'send' then send('function_create_resources', ['notify', { title => {} }])
  when 'include' then compiler.evaluate_classes([title], self, false)
  when 'function_include' then function_include([title])
  when 'set' then setvar(title, parameters)
  when 'set and change'
    setvar(title, { 'a' => [] })
    self[title]['b'] = 1
    lookupvar(title)['a'] << 2
  when 'set symbols'
    setvar(title, {})
    self[title][:a] = 1
    lookupvar(title)[:b] = function_inline_template(['<%= scope["h"][:a] %>'])
  when 'index set' then self[title] = parameters
  when 'unknown' then function_zzqqxx([title])
  when 'no array' then function_notice(title)
  when 'unknown call' then call_function('nosuch', [title])
  when 'unknown include?' then self.include?(title)
  end
end
