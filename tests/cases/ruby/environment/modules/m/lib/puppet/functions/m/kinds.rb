# The classes of values that Ruby code gets.
Puppet::Functions.create_function(:'m::kinds') do
  dispatch :kinds do
    repeated_param 'Any', :values
  end

  def kinds(*values)
    values.map { |value| [value.class.name, value.to_s] }
  end
end
