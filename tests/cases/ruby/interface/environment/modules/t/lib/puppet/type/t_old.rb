module Puppet
  Type.newtype(:t_old) do
    newparam(:name)
    newproperty(:content)
    class << self
      attr_accessor :helper
    end
    @helper = :x
    paramclass(:name).desc 'x' rescue nil
    const_set(:LIMIT, 5)
    def self.limit
      const_get(:LIMIT)
    end
    provide(:one) { desc 'first' }
  end

  Type.type(:t_old).newproperty(:later)
  Puppet::Type.type(:t_old).newparam(:provided_by)
end
