Puppet::Functions.create_function(:'m::wrong_return') do
  dispatch :give do
    param 'Any', :value
    return_type 'String'
  end

  def give(value)
    value
  end
end
