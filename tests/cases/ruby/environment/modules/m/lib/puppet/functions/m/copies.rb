# Copies of values, made by Ruby's own means.
Puppet::Functions.create_function(:'m::copies') do
  dispatch :copies do
    repeated_param 'Any', :values
  end

  def copies(*values)
    Marshal.load(Marshal.dump(values))
  end
end
