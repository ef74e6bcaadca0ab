# The package repository of the database's developers.
class profile::database::repository (
  Stdlib::HTTPSUrl $url = 'https://download.example.org/postgresql',
) {
  profile::yum_repository { 'postgresql':
    descr   => "PostgreSQL for ${facts['os']['name']} ${facts['os']['release']['major']}",
    baseurl => "${url}/rhel-\$releasever-\$basearch",
    gpgkey  => "${url}/KEY",
  }
}
