# A web server: 82 virtual hosts, 48 log rotation rules.
class { 'apache': default_vhost => false, mpm_module => 'event', server_tokens => 'Prod', log_level => 'warn' }
include apache::mod::ssl
include apache::mod::rewrite
include apache::mod::headers
include apache::mod::proxy
include apache::mod::proxy_http
include apache::mod::status
include apache::mod::expires

Integer[1, 40].each |$number| {
  apache::vhost { "site${number}.example.com":
    port          => 80,
    docroot       => "/srv/www/site${number}",
    serveraliases => ["www.site${number}.example.com", "old.site${number}.example.com"],
    rewrites      => [{ 'comment' => 'to TLS', 'rewrite_cond' => ['%{HTTPS} off'], 'rewrite_rule' => ['^/?(.*) https://%{SERVER_NAME}/$1 [R,L]'] }],
  }
  apache::vhost { "tls.site${number}.example.com":
    servername      => "site${number}.example.com",
    port            => 443,
    docroot         => "/srv/www/site${number}",
    docroot_owner   => 'www-data',
    ssl             => true,
    ssl_cert        => "/etc/ssl/certs/site${number}.pem",
    ssl_key         => "/etc/ssl/private/site${number}.key",
    ssl_protocol    => ['all', '-SSLv3', '-TLSv1', '-TLSv1.1'],
    headers         => ['always set Strict-Transport-Security "max-age=63072000"', 'set X-Frame-Options DENY'],
    aliases         => [{ 'alias' => '/static', 'path' => "/srv/static/site${number}" }],
    directories     => [
      { 'path' => "/srv/www/site${number}", 'options' => ['FollowSymLinks', 'MultiViews'], 'allow_override' => ['None'], 'require' => 'all granted' },
      { 'path' => '/server-status', 'provider' => 'location', 'sethandler' => 'server-status', 'require' => ['host example.com', 'ip 10.0.0.0/8'] },
    ],
    proxy_pass      => [{ 'path' => '/api', 'url' => "http://127.0.0.1:${8000 + $number}/", 'params' => { 'retry' => 0, 'timeout' => 5 } }],
    custom_fragment => "# site ${number}",
    setenvif        => ['User-Agent "^curl" is_curl'],
    log_level       => 'info',
    access_logs     => [{ 'file' => "site${number}.log", 'format' => 'combined' }],
  }
}
apache::vhost { 'balanced.example.com':
  port       => 80,
  docroot    => '/srv/www/balanced',
  proxy_dest => 'balancer://app',
}
apache::vhost { 'plain.example.com':
  port           => 80,
  docroot        => '/srv/www/plain',
  directoryindex => 'index.html',
  error_log      => false,
}
apache::balancer { 'app': proxy_set => { 'stickysession' => 'JSESSIONID' } }
Integer[1, 4].each |$number| {
  apache::balancermember { "app${number}": balancer_cluster => 'app', url => "http://10.0.0.${number}:8080", options => ['ping=5', 'retry=5'] }
}
Integer[1, 48].each |$number| {
  logrotate::rule { "site${number}":
    path          => "/var/log/site${number}/*.log",
    rotate_every  => 'week',
    rotate        => '8',
    compress      => true,
    delaycompress => true,
    missingok     => true,
    sharedscripts => true,
    postrotate    => 'systemctl reload apache2',
    create        => true,
    create_mode   => '0640',
    create_owner  => 'root',
    create_group  => 'adm',
  }
}
