require 'puppet/resource_api/simple_provider'

# Returns values that the schema does not permit.
class Puppet::Provider::KitCrate::KitCrate < Puppet::ResourceApi::SimpleProvider
  def get(_context)
    [{ name: 'a', ensure: 'present', size: 'big', pass: 'secret', weight: 3, wide: 4 },
     { name: 'b', ensure: 'present', label: 'UPPER' }]
  end

  def canonicalize(_context, resources)
    resources.each { |one| one[:label] = one[:label].downcase if one[:label] }
  end

  def update(*); end
end
