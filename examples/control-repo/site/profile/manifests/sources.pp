# Package sources. Applied before everything else.
class profile::sources (
  Stdlib::HTTPUrl                  $mirror,
  Hash[String[1], Hash]            $repositories = {},
  Variant[Enum['none'], String[1]] $proxy        = 'none',
) {
  $family = $facts['os']['family']

  case $family {
    'Debian': {
      $codename = $facts['os']['distro']['codename']

      file { '/etc/apt/sources.list':
        ensure  => file,
        mode    => '0644',
        content => inline_epp(@(TEMPLATE/L), { 'mirror' => $mirror, 'codename' => $codename }),
          <%- | String $mirror, String $codename | -%>
          deb <%= $mirror %> <%= $codename %> main
          deb <%= $mirror %> <%= $codename %>-updates main
          deb <%= $mirror.regsubst('/debian$', '/debian-security') %> \
          <%= $codename %>-security main
          | TEMPLATE
        notify  => Exec['refresh package lists'],
      }

      exec { 'refresh package lists':
        command     => 'apt-get update',
        refreshonly => true,
      }

      if $proxy != 'none' {
        file { '/etc/apt/apt.conf.d/80proxy':
          ensure  => file,
          mode    => '0644',
          content => "Acquire::http::Proxy \"${proxy}\";\n",
          before  => Exec['refresh package lists'],
        }
      }
    }

    'RedHat': {
      $repositories.each |$name, $repository| {
        profile::yum_repository { $name:
          baseurl => "${mirror}/${name}/\$releasever/\$basearch",
          *       => $repository,
        }
      }
    }

    default: {
      $lines = ['main', 'community'].map |String $part| {
        "${mirror}/v${facts['os']['release']['major']}.${facts['os']['release']['minor']}/${part}"
      }
      file { '/etc/apk/repositories':
        ensure  => file,
        content => "${lines.join("\n")}\n",
      }
    }
  }
}
