# A monitoring server: Zabbix with its database, its web interface and its own agent.
class { 'apache': mpm_module => 'prefork', default_vhost => false }
include apache::mod::php
class { 'postgresql::globals': version => '15', encoding => 'UTF-8' }
class { 'postgresql::server': listen_addresses => 'localhost' }
class { 'zabbix':
  zabbix_url        => 'zabbix.example.com',
  zabbix_version    => '7.0',
  database_type     => 'postgresql',
  database_password => 'secret',
  manage_repo       => true,
  apache_use_ssl    => true,
  apache_ssl_cert   => '/etc/ssl/certs/zabbix.pem',
  apache_ssl_key    => '/etc/ssl/private/zabbix.key',
}
class { 'zabbix::agent': server => '192.0.2.10', zabbix_version => '7.0', manage_repo => false }
class { 'zabbix::javagateway': zabbix_version => '7.0' }
Integer[1, 80].each |$number| {
  zabbix::userparameters { "check${number}": content => "UserParameter=check${number},/usr/local/bin/check${number}" }
  zabbix_hostgroup { "group${number}": ensure => present }
  zabbix_host { "host${number}.example.com":
    ipaddress => "10.0.1.${number}",
    use_ip    => true,
    port      => 10050,
    groups    => ["group${number}"],
    templates => ['Linux by Zabbix agent'],
    macros    => [{ '{$LIMIT}' => String($number) }],
    proxy     => '',
  }
}
