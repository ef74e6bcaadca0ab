# Metrics: Prometheus with exporters, Grafana, Redis and collectd.
class { 'prometheus::server':
  version        => '2.52.0',
  scrape_configs => Integer[1, 40].map |$number| {
    { 'job_name' => "job${number}", 'scrape_interval' => '10s', 'static_configs' => [{ 'targets' => ["host${number}.example.com:9100"], 'labels' => { 'number' => "${number}" } }] }
  },
  alerts         => { 'groups' => [{ 'name' => 'alert.rules', 'rules' => [{ 'alert' => 'InstanceDown', 'expr' => 'up == 0', 'for' => '5m', 'labels' => { 'severity' => 'page' } }] }] },
}
class { 'prometheus::node_exporter': version => '1.8.1', collectors_enable => ['systemd', 'processes'] }
class { 'prometheus::alertmanager': version => '0.27.0', route => { 'receiver' => 'mail' }, receivers => [{ 'name' => 'mail', 'email_configs' => [{ 'to' => 'root@example.com' }] }] }
class { 'prometheus::blackbox_exporter': version => '0.25.0', modules => { 'http_2xx' => { 'prober' => 'http', 'timeout' => '5s' } } }
class { 'grafana':
  install_method           => 'repo',
  cfg                      => { 'app_mode' => 'production', 'server' => { 'http_port' => 8080 }, 'database' => { 'type' => 'sqlite3' } },
  provisioning_datasources => { 'apiVersion' => 1, 'datasources' => [{ 'name' => 'Prometheus', 'type' => 'prometheus', 'url' => 'http://localhost:9090', 'isDefault' => true }] },
}
class { 'redis': bind => ['127.0.0.1'], maxmemory => '1gb', maxmemory_policy => 'allkeys-lru', manage_repo => false }
Integer[1, 10].each |$number| {
  redis::instance { "cache${number}": port => 7000 + $number, maxmemory => '256mb', bind => ['127.0.0.1'] }
  grafana_dashboard { "dashboard${number}": grafana_url => 'http://localhost:8080', grafana_user => 'admin', grafana_password => 'secret', content => "{\"title\": \"${number}\"}" }
}
class { 'collectd': purge => true, recurse => true, purge_config => true, minimum_version => '5.8' }
include collectd::plugin::load
include collectd::plugin::memory
class { 'collectd::plugin::df': mountpoints => ['/', '/srv'], fstypes => ['ext4'], ignoreselected => false }
Integer[1, 30].each |$number| {
  collectd::plugin::network::server { "10.0.1.${number}": port => 25826 }
  collectd::plugin::filecount::directory { "spool${number}": path => "/srv/spool/${number}", pattern => '*.eml', recursive => true }
  collectd::plugin::processes::process { "worker${number}": }
}
