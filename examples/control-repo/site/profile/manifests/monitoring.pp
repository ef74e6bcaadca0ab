# An agent that runs checks, each defined by data or by the profile that needs it.
class profile::monitoring (
  Hash[String[1], Hash]          $checks  = {},
  Hash[String[1], Hash]          $intervals = {},
  Sensitive[String[1]]           $token   = Sensitive('none'),
  Optional[Stdlib::HTTPSUrl]     $collector = undef,
) {
  ensure_packages('monitoring-agent')

  file { ['/etc/monitoring', '/etc/monitoring/checks.d']:
    ensure  => directory,
    mode    => '0755',
    require => Package['monitoring-agent'],
  }

  file { '/etc/monitoring/agent.json':
    ensure  => file,
    mode    => '0640',
    content => to_json_pretty(delete_undef_values({
      'node'      => $trusted['certname'],
      'collector' => $collector,
      'labels'    => {
        'purpose' => pick(getvar('purpose'), 'none'),
        'cores'   => $facts['processors']['count'],
        'virtual' => $facts['virtual'] != 'physical',
      },
    })),
  }

  file { '/etc/monitoring/token':
    ensure  => file,
    mode    => '0600',
    content => $token,
  }

  $disks = pick($facts['mountpoints'], {}).reduce({}) |Hash $found, $entry| {
    [$path, $mount] = $entry
    if $mount['filesystem'] in ['ext4', 'xfs'] {
      $found + { "disk ${path}" => { 'command' => 'check_disk', 'arguments' => ['-p', $path] } }
    } else {
      $found
    }
  }

  create_resources('profile::monitoring::check', deep_merge($disks, $checks), {
    'interval' => 60,
    'notify'   => Service['monitoring-agent'],
  })

  service { 'monitoring-agent':
    ensure    => running,
    enable    => true,
    subscribe => File['/etc/monitoring/agent.json', '/etc/monitoring/token'],
  }
}
