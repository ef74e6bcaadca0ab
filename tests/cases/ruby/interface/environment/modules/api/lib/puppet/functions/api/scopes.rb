# frozen_string_literal: true

Puppet::Functions.create_function(:'api::scopes', Puppet::Functions::InternalFunction) do
  dispatch :run do
    scope_param
    param 'String', :name
    optional_param 'Any', :value
  end

  def run(scope, name, value = nil)
    scope.setvar(name, value) unless value.nil?
    [scope[name], scope.lookupvar(name), scope.include?(name), scope.exist?(name), closure_scope.exist?(name), scope.to_s]
  end
end
