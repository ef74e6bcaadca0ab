# A monitored host: collectd with many plugins.
class { 'collectd': purge => true, recurse => true, purge_config => true, minimum_version => '5.8', interval => 30 }
['contextswitch', 'entropy', 'fscache', 'load', 'memory', 'swap', 'uptime', 'users', 'vmem', 'processes', 'protocols', 'numa', 'conntrack', 'irq'].each |$name| {
  include "collectd::plugin::${name}"
}
class { 'collectd::plugin::cpu': reportbystate => true, valuespercentage => true }
class { 'collectd::plugin::df': mountpoints => ['/', '/srv'], fstypes => ['ext4', 'xfs'], ignoreselected => false }
class { 'collectd::plugin::disk': disks => ['/^dm/'], ignoreselected => true }
class { 'collectd::plugin::interface': interfaces => ['lo'], ignoreselected => true }
class { 'collectd::plugin::logfile': log_level => 'warning', log_file => '/var/log/collectd.log' }
class { 'collectd::plugin::network': timetolive => '70', maxpacketsize => '1024' }
class { 'collectd::plugin::write_graphite': carbons => { 'one' => { 'graphitehost' => '10.0.0.7', 'graphiteport' => 2003 } } }
class { 'collectd::plugin::write_http': nodes => { 'one' => { 'url' => 'https://metrics.example.com', 'format' => 'JSON' } } }
class { 'collectd::plugin::apache': instances => { 'local' => { 'url' => 'http://localhost/mod_status?auto', 'user' => 'one', 'password' => 'two' } } }
class { 'collectd::plugin::ping': hosts => Integer[1, 30].map |$number| { "10.0.0.${number}" } }
Integer[1, 30].each |$number| {
  collectd::plugin::network::server { "10.0.1.${number}": port => 25826, securitylevel => 'Encrypt', username => 'one', password => 'two' }
  collectd::plugin::tail::file { "app${number}":
    filename => "/var/log/app${number}.log",
    instance => "app${number}",
    matches  => [
      { 'regex' => '\\berror\\b', 'dstype' => 'CounterInc', 'type' => 'counter', 'instance' => 'errors' },
      { 'regex' => 'took ([0-9]+)', 'dstype' => 'GaugeAverage', 'type' => 'delay' },
    ],
  }
  collectd::plugin::filecount::directory { "spool${number}": path => "/srv/spool/${number}", pattern => '*.eml', recursive => true }
  collectd::plugin::exec::cmd { "check${number}": user => 'nobody', group => 'nogroup', exec => ["/usr/local/bin/check${number}", '--fast'] }
  collectd::plugin::processes::process { "worker${number}": }
  collectd::plugin::snmp::host { "switch${number}": address => "10.2.0.${number}", version => 2, community => 'public', interval => 60, collect => ['std_traffic', 'hr_memory'] }
}
