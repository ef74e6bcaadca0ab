Puppet::Functions.create_function(:'p::order') do
  def order(first = 1, second) # rubocop:disable Style/OptionalArguments
    [first, second]
  end
end
