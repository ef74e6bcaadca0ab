# Keeps the data of one cluster.
class role::database (
  String[1] $cluster,
) {
  require profile::base
  include profile::ssh::hardened

  class { 'profile::database::server':
    cluster => $cluster,
  }
  contain profile::database::server
  contain profile::backup
}
