Puppet::Functions.create_function(:'m::add') do
  dispatch :add do
    param 'Integer', :a
    optional_param 'Integer', :b
    return_type 'Integer'
  end
  dispatch :names do
    repeated_param 'String', :names
    block_param 'Callable[String]', :block
  end
  argument_mismatch :refuse do
    param 'Float', :x
  end

  def add(a, b = 10)
    a + b
  end

  def names(*names)
    names.map { |name| yield(name) }
  end

  def refuse(x)
    "does not take #{x}"
  end
end
