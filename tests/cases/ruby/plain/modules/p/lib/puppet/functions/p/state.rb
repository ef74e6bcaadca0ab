require File.expand_path(File.join(File.dirname(__FILE__), '..', '..', '..', 'puppet_x', 'p', 'state'))
Puppet::Functions.create_function(:'p::state') do
  def state
    PuppetX::P::State.count
  end
end
