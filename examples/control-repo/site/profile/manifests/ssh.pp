# The secure shell's server.
class profile::ssh (
  Stdlib::Port                       $port            = 22,
  Hash[String[1], Variant[Scalar, Array[Scalar]]] $options = {},
  Array[Stdlib::IP::Address]         $networks        = [],
  Array[String[1]]                   $host_key_types  = ['ed25519', 'rsa'],
) {
  $defaults = {
    'PermitRootLogin'        => 'prohibit-password',
    'PasswordAuthentication' => false,
    'X11Forwarding'          => false,
    'MaxAuthTries'           => 4,
  }
  $settings = merge($defaults, { 'Port' => $port }, $options)

  $text = $settings.map |$key, $value| {
    $word = $value ? {
      true    => 'yes',
      false   => 'no',
      Array   => $value.join(' '),
      default => $value,
    }
    "${key} ${word}"
  }

  ensure_packages(['openssh-server'], { 'ensure' => 'present' })

  file { '/etc/ssh/sshd_config':
    ensure       => file,
    mode         => '0600',
    content      => ($text.sort + ['']).join("\n"),
    validate_cmd => '/usr/sbin/sshd -t -f %',
    require      => Package['openssh-server'],
  }

  $host_key_types.each |$type| {
    file { "/etc/ssh/ssh_host_${type}_key":
      mode => '0600',
    }
  }

  service { 'sshd':
    ensure    => running,
    name      => $facts['os']['family'] ? { 'Debian' => 'ssh', default => 'sshd' },
    enable    => true,
    subscribe => File['/etc/ssh/sshd_config', $host_key_types.map |$type| { "/etc/ssh/ssh_host_${type}_key" }],
  }

  packetfilter::rule { 'secure shell':
    ports   => $port,
    order   => 10,
    sources => $networks.empty ? { true => undef, default => $networks },
  }
}
