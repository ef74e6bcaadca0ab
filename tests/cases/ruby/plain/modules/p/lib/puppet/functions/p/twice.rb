require_relative '../../../puppet_x/p/twice'
Puppet::Functions.create_function(:'p::twice') do
  def twice
    PuppetX::P::Twice.name
  end
end
