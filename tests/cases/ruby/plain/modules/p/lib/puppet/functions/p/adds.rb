Puppet::Functions.create_function(:'p::adds') do
  def adds(options)
    options['words'] << 'added'
    options
  end
end
