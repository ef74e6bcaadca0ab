# frozen_string_literal: true

Puppet::Type.newtype(:t_patterns) do
  def self.title_patterns
    identity = ->(x) { x }
    [
      [%r{^(\w+)://([^/:]+):(\d+)$}, [[:scheme, identity], [:host, ->(x) { x.downcase }], [:port]]],
      [/^([^:]+):(\d+)$/, [[:host], [:port, proc { |x| Integer(x) }]]],
      [/^(.*)$/m, [[:host]]]
    ]
  end

  newparam(:scheme) { isnamevar }
  newparam(:host, namevar: true)
  newparam(:port, namevar: true)
  newproperty(:value)
end
