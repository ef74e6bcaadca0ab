# What every host has: accounts, access, names, time, logs, packages and units.
class { 'ntp': servers => ['0.pool.example.com', '1.pool.example.com'], restrict => ['default kod nomodify', '127.0.0.1'] }
class { 'ssh': storeconfigs_enabled => false, server_options => { 'Port' => [22, 2222], 'PasswordAuthentication' => 'no', 'Match User backup' => { 'ForceCommand' => '/usr/bin/rsync' } } }
class { 'sudo': purge => true, config_file_replace => true }
class { 'rsyslog::client': server => 'logs.example.com' }
class { 'unbound': interface => ['127.0.0.1'], access => ['127.0.0.0/8'] }
class { 'timezone': timezone => 'Europe/Berlin' }
class { 'apt': update => { 'frequency' => 'daily' }, purge => { 'sources.list' => true, 'sources.list.d' => true } }
class { 'unattended_upgrades': mail => { 'to' => 'root@example.com' }, auto => { 'reboot' => false } }
class { 'systemd': manage_journald => true, journald_settings => { 'Storage' => 'persistent', 'MaxRetentionSec' => '5day' }, manage_resolved => true, dns => '10.0.0.2', manage_timesyncd => false }
include logrotate
include swap_file
include archive
class { 'fail2ban': package_ensure => 'latest', jails => { 'sshd' => { 'port' => 'ssh', 'maxretry' => 6 } } }
class { 'motd': content => "Managed\n" }
Integer[1, 40].each |$number| {
  accounts::user { "user${number}":
    uid      => 2000 + $number,
    groups   => ['users'],
    password => '!!',
    sshkeys  => ["ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA${number} user${number}@example.com"],
  }
  sudo::conf { "user${number}": priority => 10, content => "user${number} ALL=(ALL) NOPASSWD: /usr/bin/systemctl" }
  apt::source { "mirror${number}":
    location => "https://mirror.example.com/${number}",
    release  => 'bookworm',
    repos    => 'main',
    key      => { 'name' => "mirror${number}.asc", 'source' => "https://mirror.example.com/${number}.asc" },
    pin      => 100 + $number,
  }
  apt::pin { "package${number}": packages => ["package${number}"], priority => 500 + $number, origin => 'mirror.example.com' }
  logrotate::rule { "app${number}": path => "/var/log/app${number}.log", rotate => 14, rotate_every => 'day', compress => true }
  systemd::unit_file { "app${number}.service": content => "[Service]\nExecStart=/usr/local/bin/app${number}\n", enable => true, active => true }
  systemd::dropin_file { "app${number}-limits.conf": unit => "app${number}.service", content => "[Service]\nLimitNOFILE=4096\n" }
  systemd::manage_unit { "job${number}.service": unit_entry => { 'Description' => "Job ${number}" }, service_entry => { 'Type' => 'oneshot', 'ExecStart' => "/usr/local/bin/job${number}" }, install_entry => { 'WantedBy' => 'multi-user.target' } }
  file_line { "line${number}": path => '/etc/security/limits.conf', line => "user${number} hard nofile 4096", match => "^user${number} " }
  ini_setting { "ini${number}": path => '/etc/app.ini', section => 'main', setting => "s${number}", value => "v${number}" }
  unbound::record { "host${number}.example.com": content => "10.2.0.${number}" }
}
