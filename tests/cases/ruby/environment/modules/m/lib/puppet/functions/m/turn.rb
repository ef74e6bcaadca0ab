# Changes the order of its argument in place, in a worker.
Puppet::Functions.create_function(:'m::turn') do
  def turn(list)
    ObjectSpace.respond_to?(:each_object)
    list.reverse!
    nil
  end
end
