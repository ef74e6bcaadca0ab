Puppet::Functions.create_function(:'m::look') do
  dispatch(:look) { param 'Any', :what }
  def look(what)
    [what.respond_to?(:name) && what.name, what.respond_to?(:age) && what.age, what.respond_to?(:greet) && what.greet('yo')]
  end
end
