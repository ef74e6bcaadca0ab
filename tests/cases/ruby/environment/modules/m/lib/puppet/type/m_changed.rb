Puppet::Type.newtype(:m_changed) do
  newparam(:host) { isnamevar }
  newparam(:port) { isnamevar }
  newproperty(:value)

  def self.title_patterns
    [
      [/\A([^:]+):(\d+)\z/, [[:host, ->(text) { text.downcase }], [:port, ->(text) { text.rjust(5, '0') }]]],
      [/\A([A-Z]+)\z/, [[:host, ->(text) { text.downcase }]]]
    ]
  end
end
