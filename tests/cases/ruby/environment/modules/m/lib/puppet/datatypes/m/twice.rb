Puppet::DataTypes.create_type('M::Twice') do
  interface 'attributes => { a => Integer }'
  interface 'attributes => { b => Integer }'
end
