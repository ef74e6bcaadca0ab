# Defaults for every node, independent of its role.

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

# The administrators' group in each system family.
$admin_group = $facts['os']['family'] ? {
  /^(?i:debian|ubuntu)$/   => 'sudo',
  Enum['RedHat', 'Alpine'] => 'wheel',
  default                  => 'root',
}
