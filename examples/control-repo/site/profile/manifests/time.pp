# Clock and time zone.
class profile::time (
  String[1] $zone = pick($facts['timezone'], 'UTC'),
) {
  contain ntp

  file { '/etc/localtime':
    ensure => link,
    target => "/usr/share/zoneinfo/${zone}",
    before => Class['ntp'],
  }

  packetfilter::rule { 'time service':
    ports    => 123,
    protocol => udp,
    order    => 20,
  }
}
