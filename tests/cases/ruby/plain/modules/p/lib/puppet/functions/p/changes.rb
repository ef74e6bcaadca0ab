Puppet::Functions.create_function(:'p::changes') do
  dispatch :change do
    param 'Array', :list
  end
  def change(list)
    list << 'more'
    list.size
  end
end
