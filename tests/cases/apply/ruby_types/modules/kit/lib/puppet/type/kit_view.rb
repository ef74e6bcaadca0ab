# Shows the values of its metaparameters.
Puppet::Type.newtype(:kit_view) do
  newparam(:name, namevar: true)
  newproperty(:size) { def retrieve; end }
  newproperty(:shown) do
    def retrieve
      %i[loglevel noop audit alias tag].each { |name| resource.notice("#{name}: #{resource[name].inspect}") }
      (resource[:require] || []).each { |one| resource.notice("require: #{one.class} #{one.type} #{one.title}") }
      1
    end
  end
end
