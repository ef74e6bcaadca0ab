# frozen_string_literal: true

Puppet::Parser::Functions.newfunction(:api_create, type: :statement) do |args|
  case args[0]
  when 'param' then Puppet::Parser::Resource::Param.new(name: :message, value: 'p', source: source).then { |param| compiler.add_resource(self, Puppet::Parser::Resource.new(:notify, 'param', scope: self, source: source, parameters: [param])) }
  when 'function' then function_create_resources(['notify', { 'f' => { 'message' => 'x' } }])
  when 'include' then function_include([['api']])
  when 'evaluate' then compiler.evaluate_classes({ 'api' => { 'p' => 9 } }, self, false)
  when 'add' then catalog.add_resource(Puppet::Parser::Resource.new('Notify', 'added', scope: self, source: source))
  when 'define'
    resource = Puppet::Parser::Resource.new('api::thing', 'made', scope: self, source: source, parameters: { a: 7 })
    compiler.add_resource(self, resource)
  when 'virtual' then compiler.add_resource(self, Puppet::Parser::Resource.new('notify', 'virt', scope: self, source: source, virtual: true))
  end
  nil
end
