Puppet::Functions.create_function(:'m::calls') do
  dispatch :calls do
    param 'Array', :list
    block_param
  end

  def calls(list, &block)
    [call_function('map', list) { |item| "ruby #{item}" },
     call_function('map', list, &block),
     call_function('m::add', 1, 2),
     call_function('with', 1, 2) { |a, b| a + b },
     call_function('m::language', 5)]
  end
end
