# Forms of code, and texts for other programs.
require 'uri'
Puppet::Functions.create_function(:'p::forms', Puppet::Functions::InternalFunction) do
  dispatch(:forms) do
    param 'String', :text
  end

  def forms(text)
    Puppet.debug("#{text.upcase} of #{[1, 2].sum}")
    [rescued(%w[1 x]), pushed, changed, encoded(text), serialized({ 'a' => [1, nil], 'b' => 'c' })]
  end

  def rescued(words)
    words.map do |word|
      number = Integer(word)
      number + 1
    rescue ArgumentError
      word
    ensure
      word.to_s
    end
  end

  def pushed
    list = []
    list.push [ 1, 2 ]
    list.push ( 3 )
    list << list[ 0 ].size
  end

  def changed
    ['', 'a', "a,\r\n", 'aä'].map { |text| copy = text.dup; [copy.chop!, copy] }
  end

  def encoded(text)
    [URI.encode_www_form({ text => ' ~*-._/ä', 'b' => nil, 'c' => 1 }), URI.encode_www_form({}),
     CGI.escape(' ~*-._/ä')]
  end

  def serialized(data)
    [JSON.generate(data), JSON.dump(data), JSON.dump(nil), YAML.dump(data)]
  end
end
