# facts: redhat
# PuppetDB with its database, and a server that uses it.
class { 'puppetdb':
  listen_address    => '0.0.0.0',
  database_password => 'secret',
  java_args         => { '-Xmx' => '2g', '-Xms' => '1g' },
  node_ttl          => '14d',
  node_purge_ttl    => '30d',
  report_ttl        => '7d',
  manage_firewall   => false,
  postgres_version  => '14',
}
class { 'puppetdb::master::config': manage_report_processor => true, enable_reports => true, restart_puppet => false }
Integer[1, 40].each |$number| {
  postgresql::server::role { "reader${number}": password_hash => postgresql::postgresql_password("reader${number}", "password ${number}") }
  postgresql::server::database_grant { "reader${number}": privilege => 'CONNECT', db => 'puppetdb', role => "reader${number}" }
  postgresql::server::pg_hba_rule { "reader${number}":
    type => 'hostssl', database => 'puppetdb', user => "reader${number}", address => "10.1.${number}.0/24", auth_method => 'scram-sha-256', order => 100 + $number,
  }
}
