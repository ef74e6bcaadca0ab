# Changes its argument and what it contains in place, in a worker.
Puppet::Functions.create_function(:'m::drop') do
  dispatch :drop do
    param 'Hash', :hash
    param 'String', :key
  end

  def drop(hash, key)
    ObjectSpace.respond_to?(:each_object)
    hash.each_value { |value| drop(value, key) if value.is_a?(Hash) }
    hash.delete(key)
  end
end
