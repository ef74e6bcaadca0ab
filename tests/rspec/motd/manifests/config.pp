# The files.
class motd::config {
  file { '/etc/motd':
    ensure  => file,
    mode    => $motd::mode,
    content => epp('motd/motd.epp', { 'text' => $motd::text }),
    require => Package['motd-tools'],
    notify  => [Exec['motd-changed'], File['/etc/motd.d/done']],
  }
  exec { 'motd-changed':
    command     => '/bin/true',
    refreshonly => true,
  }
  file { '/etc/motd.d':
    ensure => directory,
  }
  -> file { '/etc/motd.d/done':
    ensure  => file,
    content => motd::join_words(['done', $facts['networking']['fqdn']]),
  }
  if $motd::secret {
    file { '/etc/motd.secret':
      content => $motd::secret,
    }
  }
  motd::part { $motd::parts:
    content => 'a part',
  }
}
