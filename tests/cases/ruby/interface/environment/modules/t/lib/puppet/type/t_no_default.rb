# frozen_string_literal: true

Puppet::Type.newtype(:t_no_default) do
  newparam(:name, namevar: true)
  newparam(:x) { defaultto(nil) }
end
