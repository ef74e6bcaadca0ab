# Returns for each pair of values whether both are one object. The constant BasicObject makes it run in a worker.
Puppet::Functions.create_function(:'m::sharing') do
  dispatch :pairs do
    param 'Array[Array]', :values
  end

  def pairs(values)
    equal = BasicObject.instance_method(:equal?)
    values.map { |*_, a, b| equal.bind_call(a, b) }
  end
end
