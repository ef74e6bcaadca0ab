# Renews certificates; on one node only.
class profile::web::renewal {
  tag 'certificates'

  systemd_unit {
    default:
      active => true;

    'renewal.service':
      active   => false,
      sections => { 'Service' => { 'Type' => 'oneshot', 'ExecStart' => '/usr/local/bin/renew' } };

    'renewal.timer':
      sections => { 'Timer' => { 'OnCalendar' => 'weekly' }, 'Install' => { 'WantedBy' => 'timers.target' } };
  }

  Systemd_unit['renewal.service'] -> Systemd_unit['renewal.timer']

  if tagged('profile::web::server') and defined(Class['profile::web::server']) {
    Class['profile::web::server'] -> Systemd_unit['renewal.timer']
  }
}
