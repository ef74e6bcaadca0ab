require 'puppet/util/filetype'

Puppet::Type.newtype(:kit_text) do
  newparam(:path, namevar: true)

  newproperty(:text) do
    def file
      Puppet::Util::FileType.filetype(:flat).new(resource[:path])
    end

    def retrieve
      file.read
    end

    def set(value)
      file.write(value)
    end
  end
end
