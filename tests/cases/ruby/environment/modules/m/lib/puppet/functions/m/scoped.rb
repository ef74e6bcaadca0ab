Puppet::Functions.create_function(:'m::scoped', Puppet::Functions::InternalFunction) do
  dispatch :scoped do
    scope_param
    param 'String', :name
    cache_param
  end

  def scoped(scope, name, cache)
    seen = cache.retrieve(self)
    seen[:count] = (seen[:count] || 0) + 1
    [scope[name], scope.lookupvar("::#{name}"), scope.exist?('nothing'), scope['nothing'], seen[:count]]
  end
end
