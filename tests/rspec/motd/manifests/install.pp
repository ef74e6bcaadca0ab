# What has to be there first.
class motd::install {
  package { 'motd-tools':
    ensure => installed,
    alias  => 'tools',
  }
}
