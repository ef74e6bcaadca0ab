# A PostgreSQL server: 40 databases, rules of access and settings.
class { 'postgresql::globals': version => '15', encoding => 'UTF-8', locale => 'en_US.UTF-8' }
class { 'postgresql::server':
  listen_addresses        => '*',
  ip_mask_allow_all_users => '10.0.0.0/8',
  postgres_password       => 'secret',
}
include postgresql::server::contrib
include postgresql::client

$settings = { 'max_connections' => 300, 'shared_buffers' => '4GB', 'work_mem' => '32MB', 'wal_level' => 'replica', 'log_min_duration_statement' => 500 }
$settings.each |$name, $value| {
  postgresql::server::config_entry { $name: value => $value }
}
Integer[1, 40].each |$number| {
  postgresql::server::db { "shop${number}":
    user     => "shop${number}",
    password => postgresql::postgresql_password("shop${number}", "password ${number}"),
    grant    => 'ALL',
  }
  postgresql::server::role { "reader${number}":
    password_hash    => postgresql::postgresql_password("reader${number}", "password ${number}"),
    connection_limit => 20,
  }
  postgresql::server::database_grant { "reader${number}":
    privilege => 'CONNECT',
    db        => "shop${number}",
    role      => "reader${number}",
  }
  postgresql::server::extension { "shop${number}-trgm": extension => 'pg_trgm', database => "shop${number}" }
  postgresql::server::pg_hba_rule { "shop${number}":
    type        => 'hostssl',
    database    => "shop${number}",
    user        => "shop${number}",
    address     => "10.1.${number}.0/24",
    auth_method => 'scram-sha-256',
    order       => 100 + $number,
  }
}
