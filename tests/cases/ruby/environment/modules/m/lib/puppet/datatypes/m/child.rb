Puppet::DataTypes.create_type('M::Child') do
  interface <<-PUPPET
    parent => M::Person,
    attributes => { toy => String, name => { type => String[1], override => true } }
  PUPPET
  implementation do
    def age
      3
    end
  end
end
