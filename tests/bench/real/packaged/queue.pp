# Queues and caches: rabbitmq, redis, memcached, corosync.
class { 'rabbitmq':
  port             => 5672,
  management_port  => 15672,
  delete_guest_user => true,
  config_cluster   => true,
  cluster_nodes    => ['queue1', 'queue2', 'queue3'],
  cluster_node_type => 'ram',
  erlang_cookie    => 'SECRET',
  wipe_db_on_cookie_change => true,
  config_variables => { 'vm_memory_high_watermark' => '0.6' },
  environment_variables => { 'NODENAME' => 'rabbit@queue1' },
}
Integer[1, 40].each |$number| {
  rabbitmq_vhost { "app${number}": ensure => present }
  rabbitmq_user { "app${number}": admin => false, password => 'secret' }
  rabbitmq_user_permissions { "app${number}@app${number}": configure_permission => '.*', read_permission => '.*', write_permission => '.*' }
}
class { 'redis': bind => ['127.0.0.1'], manage_repo => false }
Integer[1, 20].each |$number| { redis::instance { "cache${number}": port => 6400 + $number, maxmemory => '100mb' } }
class { 'memcached': max_memory => 2048, max_connections => 4096 }
class { 'corosync': multicast_address => '239.1.1.2', bind_address => '10.0.0.1', enable_secauth => false, quorum_members => ['10.0.0.1', '10.0.0.2'] }
Integer[1, 40].each |$number| {
  corosync::service { "service${number}": version => '1' }
  cs_property { "property${number}": value => "value ${number}" }
}
