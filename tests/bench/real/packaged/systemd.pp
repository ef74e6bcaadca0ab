# A host of many services: 300 units, drop-ins, limits and timers.
class { 'systemd':
  manage_resolved   => true,
  dns               => ['10.0.0.2', '10.0.0.3'],
  manage_timesyncd  => true,
  ntp_server        => ['0.pool.example.com', '1.pool.example.com'],
  manage_journald   => true,
  journald_settings => { 'Storage' => 'persistent', 'MaxRetentionSec' => '5day' },
  manage_logind     => true,
  logind_settings   => { 'HandleSuspendKey' => 'ignore', 'KillUserProcesses' => 'no' },
}
Integer[1, 100].each |$number| {
  systemd::unit_file { "worker${number}.service":
    content => "[Unit]\nDescription=Worker ${number}\n[Service]\nExecStart=/usr/local/bin/worker ${number}\nUser=worker\n[Install]\nWantedBy=multi-user.target\n",
    enable  => true,
    active  => true,
  }
  systemd::dropin_file { "worker${number}-environment.conf":
    unit    => "worker${number}.service",
    content => "[Service]\nEnvironment=NUMBER=${number}\n",
  }
  systemd::service_limits { "worker${number}.service":
    limits => { 'LimitNOFILE' => 8192 + $number, 'LimitNPROC' => 512 },
  }
}
Integer[1, 50].each |$number| {
  systemd::timer { "clean${number}.timer":
    timer_content   => "[Timer]\nOnCalendar=*-*-* 0${$number % 10}:00:00\n",
    service_content => "[Service]\nType=oneshot\nExecStart=/usr/local/bin/clean ${number}\n",
    enable          => true,
    active          => true,
  }
  systemd::tmpfile { "worker${number}.conf": content => "d /run/worker${number} 0755 worker worker -" }
  systemd::network { "eth${number}.network": content => "[Match]\nName=eth${number}\n[Network]\nDHCP=yes\n", restart_service => true }
}
