# Plain data.
Puppet::Functions.create_function(:'p::hash') do
  dispatch :hash_data do
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def hash_data(options, context)
    context.explain { 'told' }
    { 'from_hash' => [options['a'], double(options['a'])], 'hash_interpolated' => '%{facts.x}' }
  end

  def double(number)
    number * 2
  end
end
