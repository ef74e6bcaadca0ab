Puppet::Type.newtype(:m_trimmed) do
  newparam(:path) { isnamevar }
  newproperty(:value)

  def self.title_patterns
    [[/\A(.*?)\/*\z/m, [[:path, ->(text) { text.squeeze('/') }]]]]
  end
end
