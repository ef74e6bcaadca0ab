# Serves the public sites.
#
# @param primary Whether this node also does the jobs that must run once only
class role::web (
  Boolean $primary = false,
) {
  contain profile::base
  contain profile::web::server
  contain profile::web::application

  class { 'profile::backup':
    require => Class['profile::base'],
  }

  Class['profile::base'] -> Class['profile::web::server'] ~> Class['profile::web::application']

  if $primary {
    include profile::web::renewal
  }
}
