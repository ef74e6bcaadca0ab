# frozen_string_literal: true

Puppet::Functions.create_function(:'api::types_of_own') do
  local_types do
    type 'Small = Integer[0, 9]'
    type 'Pair = Tuple[Small, Small]'
    type 'Tree = Variant[Small, Array[Tree]]'
  end
  dispatch :pair do
    param 'Pair', :pair
    return_type 'Small'
  end
  dispatch :port do
    param 'Api::Port', :port
    return_type 'Optional[String]'
  end
  dispatch :tree do
    param 'Tree', :tree
    param 'Any', :more
  end

  def pair(pair)
    pair.sum
  end

  def port(port)
    port > 1024 ? 'high' : nil
  end

  def tree(tree, _)
    tree.flatten
  end
end
