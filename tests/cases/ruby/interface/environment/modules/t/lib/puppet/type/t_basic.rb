# frozen_string_literal: true

Puppet::Type.newtype(:t_basic) do
  @doc = <<-DOC.gsub(/^ +/, '')
    A basic type.
  DOC

  desc 'Another text'
  feature :fast, 'Is fast', methods: [:go]
  feature :slow, 'Is slow'

  ensurable do
    desc 'Whether it is there'
    newvalue(:present) { provider.create }
    newvalue(:absent) { provider.destroy }
    aliasvalue(:gone, :absent)
    defaultto :present

    def insync?(is)
      super
    end
  end

  newparam(:path) do
    desc 'Where it is'
    isnamevar
    validate { |value| raise ArgumentError, 'not absolute' unless value.start_with?('/') }
    munge { |value| value.chomp('/') }
  end

  newparam(:mode, required_features: %w[fast]) do
    newvalues(:one, :two, /^\d+$/)
    defaultto { :one }
    isrequired
  end

  newproperty(:tags_of, array_matching: :all, required_features: :slow) do
    newvalues('a', 'b')
    def insync?(is)
      is.sort == should.sort
    end

    def is_to_s(value)
      value.inspect
    end
  end

  newproperty(:size) do
    munge { |value| Integer(value) }
    def change_to_s(*)
      'changed'
    end
  end

  newparam(:flag, boolean: true) do
    newvalues(:true, :false)
    defaultto :false
  end

  autorequire(:file) { self[:path] }
  autobefore(:service) { ['x'] }
  autonotify(:exec) { [] }
  autosubscribe(:exec) { [] }

  validate do
    raise Puppet::Error, 'never in a catalog' if self[:mode] == 'never'
  end

  def self.instances
    []
  end

  def refresh
    provider.go
  end

  def exists?
    @provider.get(:ensure) != :absent
  end

  private

  def set_default(attr)
    super
  end
end
