require_relative '../../../puppet_x/p/kept'
Puppet::Functions.create_function(:'p::kept') do
  def kept(item)
    PuppetX::P::Kept.add(item)
  end
end
