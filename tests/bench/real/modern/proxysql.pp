# A proxy before 40 database servers, with their users and rules.
class { 'proxysql':
  listen_port                        => 3306,
  admin_password                     => Sensitive('secret'),
  monitor_password                   => Sensitive('secret'),
  version                            => '2.5.5',
  mysql_servers                      => Integer[1, 40].map |$number| { { "db${number}" => { 'port' => 3306, 'hostgroup_id' => $number } } },
  mysql_users                        => Integer[1, 40].map |$number| { { "app${number}" => { 'password' => mysql::password("password ${number}"), 'default_hostgroup' => $number } } },
  mysql_hostgroups                   => [{ 'hostgroup 1' => { 'writer' => 1, 'reader' => 2 } }],
  mysql_group_replication_hostgroups => [{ 'hostgroup 2' => { 'reader' => 10, 'writer' => 5, 'backup' => 2, 'offline' => 11 } }],
  mysql_rules                        => Integer[1, 40].map |$number| { { "rule ${number}" => { 'rule_id' => $number, 'match_pattern' => "^SELECT.*table${number}", 'destination_hostgroup' => $number, 'apply' => 1, 'active' => 1 } } },
  schedulers                         => [{ 'check' => { 'scheduler_id' => 1, 'active' => 1, 'filename' => '/usr/local/bin/check' } }],
}
Integer[1, 40].each |$number| {
  proxy_mysql_server { "10.0.0.${number}:3306-${100 + $number}": hostname => "10.0.0.${number}", port => 3306, hostgroup_id => 100 + $number }
  proxy_mysql_user { "tester${number}": password => mysql::password("tester ${number}"), default_hostgroup => 100 + $number }
}
