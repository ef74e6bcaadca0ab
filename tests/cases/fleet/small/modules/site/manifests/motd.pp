class site::motd (String $text, Sensitive $secret) {
  file { '/etc/motd':
    content => epp('site/motd.epp', { 'text' => $text }),
  }
  file { '/etc/secret':
    content => $secret,
  }
}
