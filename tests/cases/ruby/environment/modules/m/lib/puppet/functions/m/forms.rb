Puppet::Functions.create_function(:'m::forms') do
  local_types do
    type 'Size = Enum[small, large]'
    type 'Box = Struct[{size => Size, Optional[name] => String}]'
  end

  dispatch :boxed do
    param 'Box', :box
    optional_param 'Integer[0]', :count
    return_type 'Array'
  end

  dispatch :many do
    param 'Integer', :first
    required_repeated_param 'Integer', :rest
    optional_block_param 'Callable[Integer]', :action
  end

  dispatch :named do
    required_param 'String', :name
    optional_repeated_param 'Variant[Integer, Undef]', :numbers
    required_block_param 'Callable[String, Integer]', :action
  end

  dispatch :typed do
    param 'Type[Scalar]', :type
    repeated_param 'Any', :rest
  end

  dispatch :regexps do
    param 'Regexp', :pattern
  end

  argument_mismatch :wrong do
    param 'Boolean', :flag
    repeated_param 'Any', :rest
  end

  def boxed(box, count = 7)
    [box['size'], box['name'], count]
  end

  def many(first, *rest)
    return [first, rest] unless block_given?

    ([first] + rest).map { |one| yield(one) }
  end

  def named(name, *numbers, &action)
    [name, numbers, action.call(name, numbers.size), action.arity]
  end

  def typed(type, *rest)
    [type.class.name, type.to_s, rest.map { |one| type.instance?(one) }]
  end

  def regexps(pattern)
    [pattern.class.name, pattern.source, 'xaby'[pattern]]
  end

  def wrong(flag, *rest)
    "takes no #{flag} and #{rest.size} more"
  end
end
