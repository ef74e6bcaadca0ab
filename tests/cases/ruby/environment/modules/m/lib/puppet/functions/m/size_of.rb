# The size of arguments as Ruby code gets them.
Puppet::Functions.create_function(:'m::size_of') do
  dispatch :size_of do
    param 'Any', :object
  end

  def size_of(object)
    "#{object.class} #{object.size} #{object}"
  end
end
