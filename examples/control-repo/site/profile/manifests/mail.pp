# Local mail goes to a relay.
class profile::mail (
  Stdlib::Host              $relay,
  Hash[String[1], String[1]] $aliases = {},
) {
  ensure_resource('package', 'msmtp', { 'ensure' => 'installed' })

  file { '/etc/msmtprc':
    ensure  => file,
    mode    => '0640',
    content => epp('profile/msmtprc.epp', {
      'relay'  => $relay,
      'sender' => "root@${facts['networking']['fqdn']}",
    }),
    require => Package['msmtp'],
  }

  $people = { 'root' => $::alert_target } + $aliases
  $lines = $people.map |String $from, String $to| {
    "${from}: ${split($to, /,\s*/).join(' ')}"
  }
  file { '/etc/aliases':
    ensure  => file,
    mode    => '0644',
    content => join($lines + [''], "\n"),
  }
}
