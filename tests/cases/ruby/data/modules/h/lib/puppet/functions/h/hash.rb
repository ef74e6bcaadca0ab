Puppet::Functions.create_function(:'h::hash') do
  dispatch :hash_data do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end
  def hash_data(options, context)
    context.explain { 'told by ruby' }
    { 'from_hash' => [options['a'], context.environment_name.to_s, context.module_name], 'interpolated' => '%{facts.x}' }
  end
end
