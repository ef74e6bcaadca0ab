require 'puppet/property/keyvalue'

Puppet::Type.newtype(:t_settings) do
  debug 'a message of the type itself'

  newparam(:name, namevar: true)

  newparam(:paths, parent: Puppet::Parameter::Path) do
    accept_arrays
    accept_arrays(true) if arrays?
  end

  newproperty(:settings, parent: Puppet::Property::KeyValue) do
    self.log_only_changed_or_new_keys = true
  end

  newparam(:cipher) { desc 'the name of one' } unless Puppet::Util::Platform.fips_enabled?
end
