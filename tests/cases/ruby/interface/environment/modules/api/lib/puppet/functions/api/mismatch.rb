Puppet::Functions.create_function(:'api::mismatch') do
  dispatch :number do
    param 'Integer', :number
  end

  argument_mismatch :wrong do
    param 'Any', :value
  end

  def number(number)
    number
  end

  def wrong(value)
    ['is not for', value]
  end
end
