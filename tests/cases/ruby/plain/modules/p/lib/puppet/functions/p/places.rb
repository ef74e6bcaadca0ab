require 'uri'
Puppet::Functions.create_function(:'p::places') do
  def places(texts)
    texts.map do |text|
      uri = URI.parse(text)
      [uri.scheme, uri.userinfo, uri.user, uri.password, uri.host, uri.hostname, uri.port, uri.path, uri.query, uri.fragment, uri.to_s, "<#{URI(text)}>"]
    end
  end
end
