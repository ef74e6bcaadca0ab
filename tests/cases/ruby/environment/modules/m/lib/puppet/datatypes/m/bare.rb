Puppet::DataTypes.create_type('M::Bare') do end
