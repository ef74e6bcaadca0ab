# Makes a package to find the default provider, as the fact package_provider of stdlib does.
Facter.add(:kit_default) do
  setcode { "#{Puppet::Type.type(:package).newpackage(name: 'dummy', allow_virtual: 'true')[:provider]} by default" }
end
