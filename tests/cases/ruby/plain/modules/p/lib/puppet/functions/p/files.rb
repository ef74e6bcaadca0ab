require_relative '../../../puppet_x/p/first'
require File.expand_path('../../../puppet_x/p/second', __dir__)
Puppet::Functions.create_function(:'p::files') do
  def files(one, two)
    three = 3
    names = PuppetX::P::First::NAMES
    [one, two, three, names, PuppetX::P::Second.all('x', 'y')]
  end
end
