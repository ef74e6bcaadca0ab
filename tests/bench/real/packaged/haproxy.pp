# A load balancer: 40 services with four members each.
class { 'haproxy':
  enable           => true,
  global_options   => { 'log' => '/dev/log local0', 'maxconn' => '20000', 'user' => 'haproxy', 'group' => 'haproxy', 'daemon' => '', 'stats' => ['socket /run/haproxy/admin.sock mode 660', 'timeout 30s'] },
  defaults_options => { 'log' => 'global', 'mode' => 'http', 'option' => ['httplog', 'dontlognull', 'redispatch'], 'timeout' => ['connect 5s', 'client 50s', 'server 50s'] },
}
Integer[1, 40].each |$number| {
  haproxy::frontend { "service${number}":
    ipaddress => '10.0.0.1',
    ports     => String(8000 + $number),
    mode      => 'http',
    options   => { 'default_backend' => "service${number}", 'timeout client' => '30s', 'option' => ['httplog', 'accept-invalid-http-request'] },
  }
  haproxy::backend { "service${number}":
    options => [{ 'option' => ['httpchk GET /health', 'forwardfor'] }, { 'balance' => 'roundrobin' }, { 'cookie' => 'SRV insert indirect nocache' }],
  }
  ['a', 'b', 'c', 'd'].each |$index, $letter| {
    haproxy::balancermember { "service${number}${letter}":
      listening_service => "service${number}",
      server_names      => "node${letter}",
      ipaddresses       => "10.1.${number}.${index}",
      ports             => '8080',
      options           => ['check', 'inter 2s', 'rise 2', 'fall 3'],
      define_cookies    => true,
    }
  }
}
Integer[1, 10].each |$number| {
  haproxy::listen { "tcp${number}":
    collect_exported => false,
    ipaddress        => '10.0.0.1',
    ports            => String(5000 + $number),
    mode             => 'tcp',
    options          => { 'option' => ['tcplog'], 'balance' => 'leastconn' },
  }
}
haproxy::userlist { 'operators': users => ['one insecure-password two', 'three insecure-password four'], groups => ['admins users one'] }
haproxy::peers { 'cluster': }
haproxy::resolver { 'local': nameservers => { 'dns1' => '10.0.0.2:53' }, resolve_retries => 3, timeout => { 'retry' => '1s' }, hold => { 'other' => '30s' } }
haproxy::mapfile { 'hosts': mappings => Integer[1, 100].map |$number| { { "site${number}.example.com" => "service${number}" } } }
