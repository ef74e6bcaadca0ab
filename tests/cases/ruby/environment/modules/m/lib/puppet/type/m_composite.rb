require File.expand_path('../../puppet_x/m/titles', __dir__)

Puppet::Type.newtype(:m_composite) do
  extend PuppetX::M::Titles

  newparam(:owner) { isnamevar }
  newparam(:item) { isnamevar }
  newproperty(:value)
end
