# frozen_string_literal: true

Puppet::Functions.create_function(:'api::resources', Puppet::Functions::InternalFunction) do
  dispatch :run do
    scope_param
    param 'String', :what
  end

  def run(scope, what)
    case what
    when 'create' then call_function('create_resources', 'notify', { 'a' => { 'message' => 'm' } })
    when 'define' then call_function('create_resources', 'api::thing', { 't' => { 'a' => 5 }, 'u' => {} }, { 'b' => 'd' })
    when 'virtual' then call_function('create_resources', '@notify', { 'v' => {} })
    when 'class' then call_function('create_resources', 'class', { 'api' => { 'p' => 3 } })
    when 'resource'
      resource = Puppet::Parser::Resource.new(:notify, 'r', scope: scope, source: scope.source)
      resource.set_parameter(:message, 'set')
      resource[:loglevel] = 'debug'
      scope.compiler.add_resource(scope, resource)
      resource.to_s
    when 'catalog_add'
      scope.catalog.add_resource(Puppet::Parser::Resource.new('notify', 'c', scope: scope, source: scope.source))
      nil
    when 'evaluate' then scope.compiler.evaluate_classes(['api::other'], scope, false) && nil
    when 'require' then call_function('require', 'api') && nil
    when 'contain' then call_function('contain', 'api') && nil
    when 'tag' then call_function('tag', 'fromruby')
    when 'realize' then call_function('realize', Puppet::Pops::Types::TypeFactory.resource('Notify', 'virtual'))
    when 'ensure' then 2.times { call_function('create_resources', 'notify', { 'twice' => {} }) }
    when 'unknown' then call_function('create_resources', 'nothing_like', { 'a' => {} })
    when 'parameter' then scope.catalog.resource('Notify[n]')[:message] = 'changed'
    when 'relation' then call_function('create_resources', 'notify', { 'z' => { 'require' => Puppet::Pops::Types::TypeFactory.resource('Notify', 'n') } })
    end
  end
end
