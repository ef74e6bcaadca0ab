Puppet::Functions.create_function(:'p::default') do
  def default(first, second = 'two')
    [first, second]
  end
end
