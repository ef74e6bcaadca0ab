Puppet::Type.newtype(:kit_call) do
  desc 'Runs code and logs its result.'

  newparam(:code, namevar: true)

  newproperty(:result) do
    defaultto 'logged'

    def retrieve
      'logged'.tap { notice(eval(resource[:code]).inspect) } # rubocop:disable Security/Eval
    end
  end
end
