Puppet::DataTypes.create_type('M::Raises') do
  raise 'oh no'
end
