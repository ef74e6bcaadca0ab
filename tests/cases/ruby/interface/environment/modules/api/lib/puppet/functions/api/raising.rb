raise 'while loading'
Puppet::Functions.create_function(:'api::raising') do
end
