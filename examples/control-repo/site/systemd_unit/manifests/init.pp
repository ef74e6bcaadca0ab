# A unit of our own, reloaded when it changes.
define systemd_unit (
  Hash[String[1], Systemd_unit::Section] $sections,
  Enum[present, absent]                  $ensure  = present,
  Boolean                                $active  = true,
  String[1]                              $comment = "Unit ${title}",
) {
  if $title =~ /\.(service|timer|socket|mount)\z/ {
    $kind = $1
  } else {
    fail("systemd_unit: '${title}' has no suffix that says what it is")
  }

  file { "/etc/systemd/system/${title}":
    ensure  => bool2str($ensure == present, 'file', 'absent'),
    mode    => '0644',
    content => epp('systemd_unit/unit.epp', {
      sections => $sections,
      comment  => "${comment} (${kind})",
    }),
  }
  ~> exec { "reload for ${title}":
    command     => 'systemctl daemon-reload',
    refreshonly => true,
  }

  if $ensure == present and $kind in ['service', 'timer'] {
    service { $title:
      ensure    => $active,
      enable    => $active,
      provider  => 'systemd',
      subscribe => Exec["reload for ${title}"],
    }
  }
}
