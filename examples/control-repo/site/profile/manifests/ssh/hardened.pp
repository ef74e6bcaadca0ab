# Like profile::ssh, for nodes with confidential data.
class profile::ssh::hardened inherits profile::ssh {
  File['/etc/ssh/sshd_config'] {
    mode    => '0400',
    require +> File['/etc/issue.net'],
  }

  Service['sshd'] {
    hasrestart => true,
  }
}
