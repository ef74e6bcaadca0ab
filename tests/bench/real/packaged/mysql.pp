# A database server: 60 databases with users and grants.
class { 'mysql::server':
  root_password           => 'secret',
  remove_default_accounts => true,
  restart                 => true,
  override_options        => {
    'mysqld' => {
      'max_connections'         => 512,
      'innodb_buffer_pool_size' => '4G',
      'skip-name-resolve'       => true,
      'log-bin'                 => '/srv/binlog/bin',
      'replicate-do-db'         => ['one', 'two', 'three'],
    },
  },
}
class { 'mysql::server::backup': backupuser => 'backup', backuppassword => 'secret', backupdir => '/srv/backup' }
include mysql::client
include mysql::server::mysqltuner

Integer[1, 60].each |$number| {
  mysql::db { "shop${number}":
    user     => "shop${number}",
    password => "password ${number}",
    host     => '10.0.0.%',
    grant    => ['SELECT', 'INSERT', 'UPDATE', 'DELETE'],
    charset  => 'utf8mb4',
    collate  => 'utf8mb4_general_ci',
  }
  mysql_user { "report${number}@localhost":
    ensure        => present,
    password_hash => mysql::password("report ${number}"),
  }
  mysql_grant { "report${number}@localhost/shop${number}.*":
    user       => "report${number}@localhost",
    table      => "shop${number}.*",
    privileges => ['SELECT'],
  }
}
