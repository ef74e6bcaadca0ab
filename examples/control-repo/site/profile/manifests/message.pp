# The message of the day.
class profile::message (
  Array[String[1]] $notes = [],
) {
  $purpose = pick(getvar('purpose'), 'unknown')

  file { '/etc/motd':
    ensure  => file,
    mode    => '0644',
    content => epp('profile/message.epp'),
  }

  $banner = @("BANNER"/nt$)
    \tAuthorised use only.\n
    Costs are counted in \$ and what you do on ${facts['networking']['hostname']} is recorded.
    | - BANNER

  file { '/etc/issue.net':
    ensure  => file,
    mode    => '0644',
    content => $banner,
  }

  file { '/etc/issue':
    ensure => link,
    target => 'issue.net',
  }
}
