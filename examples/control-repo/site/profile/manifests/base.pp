# The common configuration of every node.
#
# @param features The features to include or to exclude
class profile::base (
  Hash[Enum[users, ssh, time, filter, monitoring, mail], Boolean] $features = {},
) {
  $wanted = {
    'users'      => true,
    'ssh'        => true,
    'time'       => $facts['virtual'] !~ /\A(docker|lxc)\z/,
    'filter'     => true,
    'monitoring' => true,
    'mail'       => false,
  } + $features

  class { 'profile::sources':
    stage => 'bootstrap',
  }

  include profile::packages
  contain profile::message
  contain profile::kernel

  if $wanted['users'] { contain profile::users }
  if $wanted['ssh']   { contain profile::ssh }
  if $wanted['time']  { contain profile::time }
  if $wanted['mail']  { contain profile::mail }

  # Not contained: roles that come after the base add rules, and rules come before the filter's service.
  if $wanted['filter'] {
    include packetfilter
    Class['profile::packages'] -> Class['packetfilter']
  }

  if $wanted['monitoring'] {
    class { 'profile::monitoring':
      checks => lookup('profile::base::checks', {
        'merge'         => 'deep',
        'default_value' => {},
      }),
    }
    contain profile::monitoring
  }

  include profile::housekeeping
}
