# A web server with TLS: 60 virtual hosts, certificates and log rotation.
class { 'apache': default_vhost => false, mpm_module => 'event', server_tokens => 'Prod', log_level => 'warn' }
class { 'apache::mod::ssl': ssl_protocol => ['all', '-SSLv3', '-TLSv1', '-TLSv1.1'], ssl_cipher => 'HIGH:!aNULL' }
include apache::mod::rewrite
include apache::mod::headers
include apache::mod::proxy
include apache::mod::proxy_http
include apache::mod::status
include apache::mod::http2
class { 'letsencrypt': email => 'web@example.com' }
include logrotate
Integer[1, 30].each |$number| {
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
    ssl_cert        => "/etc/letsencrypt/live/site${number}.example.com/fullchain.pem",
    ssl_key         => "/etc/letsencrypt/live/site${number}.example.com/privkey.pem",
    ssl_protocol    => ['all', '-SSLv3', '-TLSv1', '-TLSv1.1'],
    headers         => ['always set Strict-Transport-Security "max-age=63072000"', 'set X-Frame-Options DENY'],
    aliases         => [{ 'alias' => '/static', 'path' => "/srv/static/site${number}" }],
    directories     => [
      { 'path' => "/srv/www/site${number}", 'options' => ['FollowSymLinks', 'MultiViews'], 'allow_override' => ['None'], 'require' => 'all granted' },
      { 'path' => '/server-status', 'provider' => 'location', 'sethandler' => 'server-status', 'require' => ['host example.com', 'ip 10.0.0.0/8'] },
    ],
    proxy_pass      => [{ 'path' => '/api', 'url' => "http://127.0.0.1:${8000 + $number}/", 'params' => { 'retry' => 0, 'timeout' => 5 } }],
    setenvif        => ['User-Agent "^curl" is_curl'],
    access_logs     => [{ 'file' => "site${number}.log", 'format' => 'combined' }],
  }
  letsencrypt::certonly { "site${number}.example.com":
    domains       => ["site${number}.example.com", "www.site${number}.example.com"],
    plugin        => 'webroot',
    webroot_paths => ["/srv/www/site${number}"],
    manage_cron   => true,
  }
  logrotate::rule { "site${number}": path => "/var/log/apache2/site${number}.log", rotate => 14, rotate_every => 'day', compress => true, missingok => true, postrotate => '/usr/sbin/apachectl graceful' }
}
