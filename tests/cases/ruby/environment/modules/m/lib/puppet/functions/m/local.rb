Puppet::Functions.create_function(:'m::local') do
  local_types do
    type 'Port = Integer[1, 65535]'
    type 'Ports = Array[Variant[Port, Ports]]'
  end

  dispatch :local do
    param 'Ports', :ports
    required_repeated_param 'Port', :more
  end

  def local(ports, *more)
    [ports, more]
  end
end
