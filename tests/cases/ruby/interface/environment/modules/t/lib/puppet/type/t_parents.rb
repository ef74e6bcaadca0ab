# frozen_string_literal: true

require 'puppet/parameter/boolean'
require 'puppet/property/boolean'
require 'puppet/property/list'
require 'puppet/property/ordered_list'
require 'puppet/property/keyvalue'
require_relative '../../puppet_x/t/mixed'

Puppet::Type.newtype(:t_parents) do
  include PuppetX::T::Mixed
  extend PuppetX::T::Maker

  newparam(:name, namevar: true)
  newparam(:force, boolean: true, parent: Puppet::Parameter::Boolean) do
    defaultto false
  end
  newproperty(:enabled, boolean: true, parent: Puppet::Property::Boolean)
  newproperty(:groups, parent: Puppet::Property::List) do
    def membership
      :membership
    end
  end
  newparam(:membership) do
    newvalues(:inclusive, :minimum)
    defaultto :minimum
  end
  newproperty(:order, parent: Puppet::Property::OrderedList)
  newproperty(:attributes, parent: Puppet::Property::KeyValue) do
    def delimiter
      ';'
    end

    def separator
      '='
    end
  end
  make_properties(:made_one, :made_two)

  KINDS = { disk: 1, tape: 2 }.freeze
  KINDS.each_key do |kind|
    newproperty(:"#{kind}_size") { desc "Of the #{kind}" }
  end
  newparam(:selinux_range, parent: Puppet::Parameter)
  newparam(:owner_like, parent: Puppet::Property)
  newmetaparam(:t_meta) { desc 'For all' } if respond_to?(:nothing_like_it)
end
