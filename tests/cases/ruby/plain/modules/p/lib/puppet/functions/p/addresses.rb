require 'ipaddr'
Puppet::Functions.create_function(:'p::addresses') do
  def addresses(texts)
    texts.map do |text|
      begin
        address = IPAddr.new(text)
        range = address.to_range
        [address.to_s, address.prefix, address.ipv4?, range.first.to_s, range.last.to_s, address.succ.to_s,
         address.include?(IPAddr.new(address.ipv6? ? 'fe80::1' : '10.1.2.3')), address.mask(8).to_s, address == range.first]
      rescue IPAddr::InvalidAddressError
        'invalid'
      rescue IPAddr::Error
        'wrong'
      end
    end
  end
end
