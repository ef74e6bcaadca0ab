# Containers: docker with 40 of them, networks, volumes and rules of the firewall.
class { 'docker':
  version          => '26.0.0',
  dns              => ['10.0.0.2', '10.0.0.3'],
  log_driver       => 'json-file',
  log_opt          => ['max-size=10m', 'max-file=3'],
  storage_driver   => 'overlay2',
  docker_users     => ['deploy'],
  extra_parameters => ['--live-restore'],
}
include systemd
include firewall
Integer[1, 40].each |$number| {
  docker::image { "registry.example.com/app${number}": image_tag => '1.0' }
  docker_network { "net${number}": ensure => present, driver => 'bridge', subnet => "192.168.${number}.0/24" }
  docker_volume { "data${number}": ensure => present }
  docker::run { "app${number}":
    image            => "registry.example.com/app${number}:1.0",
    ports            => ["${8000 + $number}:80"],
    volumes          => ["data${number}:/data"],
    env              => ["NUMBER=${number}", 'MODE=production'],
    net              => "net${number}",
    memory_limit     => '512m',
    hostname         => "app${number}.example.com",
    extra_parameters => ['--restart=always'],
    health_check_cmd => 'curl -f http://localhost/',
  }
  firewall { "${100 + $number} app${number}": proto => 'tcp', dport => 8000 + $number, source => '10.0.0.0/8', jump => 'accept' }
  systemd::timer { "clean${number}.timer":
    timer_content   => "[Timer]\nOnCalendar=daily\n",
    service_content => "[Service]\nType=oneshot\nExecStart=/usr/local/bin/clean ${number}\n",
    active          => true,
    enable          => true,
  }
}
