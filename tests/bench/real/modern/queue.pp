# Queues and documents: RabbitMQ, MongoDB, HAProxy and keepalived.
class { 'rabbitmq':
  port              => 5672,
  delete_guest_user => true,
  config_cluster    => true,
  cluster_nodes     => ['queue1', 'queue2', 'queue3'],
  cluster_node_type => 'ram',
  erlang_cookie     => 'SECRET',
  config_variables  => { 'vm_memory_high_watermark' => '0.6' },
}
class { 'mongodb::globals': manage_package_repo => true, repo_version => '7.0' }
class { 'mongodb::server': auth => true, bind_ip => ['0.0.0.0'], replset => 'main' }
class { 'haproxy':
  global_options   => { 'log' => '/dev/log local0', 'maxconn' => '20000', 'stats' => ['socket /run/haproxy/admin.sock mode 660', 'timeout 30s'] },
  defaults_options => { 'log' => 'global', 'mode' => 'http', 'option' => ['httplog', 'dontlognull'], 'timeout' => ['connect 5s', 'client 50s', 'server 50s'] },
}
class { 'keepalived': }
Integer[1, 20].each |$number| {
  rabbitmq_user { "app${number}": password => "secret ${number}" }
  rabbitmq_vhost { "app${number}": ensure => present }
  rabbitmq_user_permissions { "app${number}@app${number}": configure_permission => '.*', read_permission => '.*', write_permission => '.*' }
  mongodb::db { "shop${number}": user => "shop${number}", password_hash => mongodb_password("shop${number}", "password ${number}") }
  haproxy::frontend { "service${number}": ipaddress => '10.0.0.1', ports => String(8000 + $number), mode => 'http', options => { 'default_backend' => "service${number}", 'option' => ['httplog'] } }
  haproxy::backend { "service${number}": options => [{ 'option' => ['httpchk GET /health'] }, { 'balance' => 'roundrobin' }] }
  ['a', 'b'].each |$index, $letter| {
    haproxy::balancermember { "service${number}${letter}": listening_service => "service${number}", server_names => "node${letter}", ipaddresses => "10.1.${number}.${index}", ports => '8080', options => ['check'] }
  }
  keepalived::vrrp::instance { "VI_${number}": interface => 'eth0', state => 'MASTER', virtual_router_id => $number, priority => 101, auth_type => 'PASS', auth_pass => 'secret', virtual_ipaddress => ["10.0.0.${number}/24"] }
}
