Puppet::DataTypes.create_type('M::Other') do
  interface 'attributes => { a => Integer }'
end
