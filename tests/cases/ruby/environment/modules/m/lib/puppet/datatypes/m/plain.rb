Puppet::DataTypes.create_type('M::Plain') do
  interface 'attributes => { a => Integer, b => { type => String, value => "x" } }'
end
