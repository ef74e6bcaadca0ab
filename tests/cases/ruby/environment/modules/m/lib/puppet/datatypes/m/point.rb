require_relative '../../../puppet_x/m/point'
Puppet::DataTypes.create_type('M::Point') do
  interface <<-PUPPET
    attributes => { x => Integer, y => { type => Integer, value => 0 } },
    functions => { length => Callable[[], Float] }
  PUPPET
  implementation_class PuppetX::M::Point
end
