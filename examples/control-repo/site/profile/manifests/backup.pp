# Backups of the directories in data, at a different hour for each node.
class profile::backup (
  Stdlib::Host                          $server,
  Array[Stdlib::Absolutepath]           $folders = [],
  Integer[1]                            $keep_days = 14,
  Optional[Sensitive[String[8]]]        $passphrase = undef,
) {
  $grouped = $folders.unique.group_by |$folder| { $folder.split('/')[1] }

  file { '/etc/backup':
    ensure => directory,
    mode   => '0700',
  }

  $grouped.each |$root, $inside| {
    file { "/etc/backup/${root}.list":
      ensure  => file,
      mode    => '0600',
      content => $inside.map |$path| { "${path}\n" }.join(''),
    }
  }

  if $passphrase {
    file { '/etc/backup/passphrase':
      ensure  => file,
      mode    => '0400',
      content => Sensitive("${passphrase.unwrap}\n"),
      before  => Systemd_unit['backup.timer'],
    }
  }

  $at = profile::time_of_day('nightly', 'backup')
  $keep = Timespan({ 'days' => $keep_days })

  systemd_unit { 'backup.service':
    active   => false,
    sections => {
      'Unit'    => { 'Description' => 'Backup' },
      'Service' => {
        'Type'        => 'oneshot',
        'Environment' => ["SERVER=${server}", "KEEP=${keep.strftime('%D')}"],
        'ExecStart'   => '/usr/local/bin/backup',
      },
    },
  }

  systemd_unit { 'backup.timer':
    sections => {
      'Timer'   => {
        'OnCalendar' => sprintf('*-*-* %02d:%02d:00', $at['hour'], $at['minute']),
        'Persistent' => true,
      },
      'Install' => { 'WantedBy' => 'timers.target' },
    },
    require  => Systemd_unit['backup.service'],
  }

  file { '/usr/local/bin/backup':
    ensure => file,
    mode   => '0755',
    source => [
      "puppet:///modules/profile/backup-${facts['networking']['hostname']}",
      'puppet:///modules/profile/backup',
    ],
  }
}
