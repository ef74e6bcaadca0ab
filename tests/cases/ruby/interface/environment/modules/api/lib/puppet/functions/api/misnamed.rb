Puppet::Functions.create_function(:'api::another') do
  def another
    1
  end
end
