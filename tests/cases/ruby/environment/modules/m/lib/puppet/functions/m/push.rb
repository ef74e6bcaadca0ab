# Changes its argument in place, natively.
Puppet::Functions.create_function(:'m::push') do
  def push(list, *items)
    items.each { |item| list << item }
    list.size
  end
end
