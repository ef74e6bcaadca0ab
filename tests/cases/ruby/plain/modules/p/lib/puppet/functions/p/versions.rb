Puppet::Functions.create_function(:'p::versions') do
  def versions(texts)
    texts.sort_by { |text| Gem::Version.new(text) }
  end
end
