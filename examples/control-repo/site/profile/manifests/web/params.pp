# The web server's name on this system, and its directories.
class profile::web::params {
  case $facts['os']['family'] {
    'Debian': {
      $package = 'nginx-light'
      $user    = 'www-data'
    }
    'RedHat', 'Suse': {
      $package = 'nginx'
      $user    = 'nginx'
    }
    default: {
      fail("profile::web does not know ${facts['os']['name']}")
    }
  }

  $folder  = '/etc/nginx'
  $workers = $facts['processors']['count'] ? {
    Integer[1, 4] => $facts['processors']['count'],
    Integer[5]    => 4 + ($facts['processors']['count'] - 4) / 2,
    default       => 1,
  }
}
