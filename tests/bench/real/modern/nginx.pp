# A reverse proxy: nginx with 60 servers, upstreams and PHP.
class { 'nginx':
  manage_repo          => true,
  server_tokens        => 'off',
  worker_connections   => 4096,
  http_cfg_append      => { 'reset_timedout_connection' => 'on' },
  proxy_cache_path     => '/var/cache/nginx/proxy',
  proxy_cache_keys_zone => 'main:50m',
}
class { 'php': ensure => 'present', fpm => true, composer => false, pear => false, settings => { 'PHP/max_execution_time' => '90', 'PHP/memory_limit' => '256M' } }
Integer[1, 60].each |$number| {
  nginx::resource::upstream { "app${number}":
    members => {
      "one${number}" => { 'server' => "10.0.1.${number}", 'port' => 8080, 'weight' => 1 },
      "two${number}" => { 'server' => "10.0.2.${number}", 'port' => 8080, 'weight' => 2 },
    },
  }
  nginx::resource::server { "app${number}.example.com":
    listen_port => 443,
    ssl         => true,
    ssl_port    => 443,
    ssl_cert    => "/etc/ssl/certs/app${number}.pem",
    ssl_key     => "/etc/ssl/private/app${number}.key",
    proxy       => "http://app${number}",
    add_header  => { 'X-Frame-Options' => 'DENY' },
    access_log  => "/var/log/nginx/app${number}.log",
  }
  nginx::resource::location { "app${number} static":
    server   => "app${number}.example.com",
    ssl      => true,
    ssl_only => true,
    location => '/static',
    www_root => "/srv/app${number}",
    expires  => '30d',
  }
}
Integer[1, 10].each |$number| {
  php::fpm::pool { "pool${number}": listen => "/run/php/pool${number}.sock", user => 'www-data', pm_max_children => 20 }
}
