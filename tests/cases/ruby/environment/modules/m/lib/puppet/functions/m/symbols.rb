Puppet::Functions.create_function(:'m::symbols') do
  dispatch :symbols do
  end
  dispatch :shown do
    param 'Any', :value
  end
  dispatch :found do
    param 'String', :name
    param 'Any', :default
  end

  def symbols
    [:none, { key: :value, 'text' => ['none', :none] }]
  end

  def shown(value)
    value.inspect
  end

  def found(name, _default)
    found = call_function('lookup', name, { 'default_value' => :none })
    [found.inspect, found == :none]
  end
end
