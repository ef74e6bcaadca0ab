# Identity service behind Apache, with its database.
include mysql::server
class { 'keystone::db::mysql': password => 'secret', allowed_hosts => ['10.0.0.%', '10.0.1.%'] }
class { 'keystone::db': database_connection => 'mysql+pymysql://keystone:secret@10.0.0.2/keystone' }
class { 'keystone::logging': debug => true }
class { 'keystone':
  service_name         => 'httpd',
  enable_fernet_setup  => true,
  token_provider       => 'fernet',
  default_transport_url => 'rabbit://openstack:secret@10.0.0.3:5672/',
}
include apache
class { 'keystone::wsgi::apache': ssl => false, bind_host => '10.0.0.5', workers => 8 }
class { 'keystone::bootstrap': password => 'secret', public_url => 'https://identity.example.com:5000' }
class { 'keystone::cors': allowed_origin => 'https://panel.example.com' }
include keystone::security_compliance
include keystone::healthcheck
class { 'memcached': max_memory => '12%' }
Integer[1, 30].each |$number| {
  keystone::resource::service_identity { "service${number}":
    password     => "secret ${number}",
    auth_name    => "service${number}",
    service_name => "service${number}",
    service_type => "type${number}",
    email        => "service${number}@example.com",
    public_url   => "https://api.example.com:${9000 + $number}",
    admin_url    => "http://10.0.0.5:${9000 + $number}",
    internal_url => "http://10.0.0.5:${9000 + $number}",
    region       => 'one',
  }
}
