# Parts of lists without a block.
Puppet::Functions.create_function(:'p::slices') do
  def slices(items)
    [
      items.each_slice(2).to_a,
      items.each_slice(2).map { |first, second| "#{first}-#{second}" },
      items.each_slice(3).collect(&:size),
      Hash[items.each_slice(2).to_a]
    ]
  end
end
