# What holds for every node, whatever its role.

$site_name    = 'example'
$alert_target = "ops@${facts.get('networking.domain', 'example.com')}"

# Package sources must be right before anything is installed.
stage { 'bootstrap':
  before => Stage['main'],
}

File {
  owner => 'root',
  group => 'root',
}

Exec {
  path => ['/usr/sbin', '/usr/bin', '/sbin', '/bin'],
}

# What each system family calls the group of administrators.
$admin_group = $facts['os']['family'] ? {
  /^(?i:debian|ubuntu)$/   => 'sudo',
  Enum['RedHat', 'Alpine'] => 'wheel',
  default                  => 'root',
}
