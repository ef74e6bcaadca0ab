# The web server and its sites.
class profile::web::server (
  Hash[String[1], Profile::Site]  $sites       = {},
  Hash[String[1], String]         $headers     = {},
  String[1]                       $package     = $profile::web::params::package,
  String[1]                       $user        = $profile::web::params::user,
  Integer[1]                      $workers     = $profile::web::params::workers,
  Integer[64]                     $connections = $workers * 512,
) inherits profile::web::params {
  File {
    mode   => '0644',
    notify => Service['nginx'],
  }

  package { $package:
    ensure => installed,
    alias  => 'web server',
  }
  -> file { ["${folder}/sites", "${folder}/snippets"]:
    ensure  => directory,
    mode    => '0755',
    purge   => true,
    recurse => true,
  }
  -> file { "${folder}/nginx.conf":
    ensure  => file,
    content => epp('profile/nginx.conf.epp', {
      user        => $user,
      workers     => $workers,
      connections => $connections,
      folder      => $folder,
    }),
  }
  ~> service { 'nginx':
    ensure => running,
    enable => true,
  }

  file { "${folder}/snippets/headers.conf":
    content => $headers.map |$name, $value| { "add_header ${name} \"${value}\" always;" }.join("\n"),
  }

  $sites.each |$name, $site| {
    profile::web::site { $name:
      site   => $site,
      folder => "${folder}/sites",
    }
  }

  # Every name that is served over plain HTTP, as a reminder.
  $plain = $sites
    .filter |$name, $site| { !$site['tls'] }
    .map |$name, $site| { $site['names'] }
  unless $plain.empty {
    notify { 'sites without encryption':
      message => "Not encrypted: ${plain.flatten.sort.join(', ')}",
    }
  }

  $ports = $sites.values.any |$site| { $site['tls'] } ? {
    true    => [80, 443],
    default => [80],
  }
  packetfilter::rule { 'web':
    ports => $ports,
    order => 30,
  }
}
