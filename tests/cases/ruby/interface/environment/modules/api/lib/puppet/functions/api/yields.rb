# frozen_string_literal: true

Puppet::Functions.create_function(:'api::yields') do
  dispatch :run do
    param 'Any', :x
    block_param 'Callable[1,1]', :block
  end

  def run(x)
    [yield(x), yield([x])]
  end
end
