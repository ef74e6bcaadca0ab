class site::web (Integer $port) {
  service { 'web': ensure => running, require => File['/etc/web.conf'] }
  file { '/etc/web.conf':
    content => "port ${port}\n",
  }
}
