require 'json'
Puppet::Functions.create_function(:'p::quoted') do
  def quoted(value)
    JSON.generate(value, quirks_mode: true)
  end
end
