# The application behind the web server: several workers, and their settings.
class profile::web::application (
  String[1]                                         $version,
  Integer[1, 16]                                    $instances = 2,
  Stdlib::Port::Unprivileged                        $first_port = 8001,
  Hash[String[1], Hash[String[1], Optional[Scalar]]] $settings  = {},
  Optional[Sensitive[String[1]]]                    $database_password = undef,
) {
  $release = SemVer($version)
  [$major, $minor, $_patch] = $version.split('[.]')
  $folder  = "/srv/application/${major}.${minor}"

  user { 'application':
    ensure => present,
    system => true,
    home   => '/srv/application',
  }

  # All parent directories of the application.
  $parts = $folder.split('/').filter |$part| { $part != '' }
  Integer[2, $parts.length].each |$depth| {
    $path = "/${parts[0, $depth].join('/')}"
    file { $path:
      ensure => directory,
      owner  => 'application',
    }
  }

  $database = {
    'host'     => lookup('profile::database::address', Stdlib::Host, 'first', 'localhost'),
    'password' => $database_password,
    'pool'     => $instances * 4,
  }

  file { "${folder}/settings.ini":
    ensure    => file,
    owner     => 'application',
    mode      => '0400',
    content   => Sensitive(profile::ini(deep_merge({ 'database' => $database }, $settings))),
    show_diff => false,
  }

  $ports = Array(Integer[$first_port, $first_port + $instances - 1])
  $ports.each |$index, $port| {
    systemd_unit { "application@${port}.service":
      comment  => "Instance ${$index + 1} of ${ports.size}",
      sections => {
        'Unit'    => {
          'Description' => "Application on port ${port}",
          'After'       => ['network.target', 'nginx.service'],
        },
        'Service' => {
          'User'         => 'application',
          'ExecStart'    => "${folder}/bin/serve --port ${port}",
          'MemoryMax'    => "${profile::share_of_memory(0.5 / $instances)}M",
          'Restart'      => 'always',
          'ProtectHome'  => true,
        },
        'Install' => { 'WantedBy' => 'multi-user.target' },
      },
      require  => [User['application'], File["${folder}/settings.ini"]],
    }
  }

  if $release >= SemVer('3.0.0') and $release =~ SemVer['>=3.0.0 <4.0.0'] {
    profile::monitoring::check { "application ${major}":
      command   => 'check_http',
      arguments => ['-p', $first_port, '-u', '/health'],
      limits    => { 'warning' => 0.5, 'critical' => 2 },
    }
  }
}
