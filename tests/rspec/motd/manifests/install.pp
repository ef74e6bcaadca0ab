# Prerequisites.
class motd::install {
  package { 'motd-tools':
    ensure => installed,
    alias  => 'tools',
  }
}
