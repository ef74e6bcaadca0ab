# Switches a service that is not in the catalog.
Puppet::Type.newtype(:kit_switch) do
  newparam(:name, namevar: true)

  newproperty(:state) do
    newvalues(:running, :stopped)

    def service
      commands = %i[start stop status].to_h { |action| [action, "#{ENV.fetch('KIT_SERVICES')}/script #{action}"] }
      @service ||= Puppet::Type.type(:service).new(name: resource[:name], provider: :base, **commands).provider
    end

    def retrieve
      service.status
    end

    def set(value)
      value == :running ? service.start : service.stop
    end
  end
end
