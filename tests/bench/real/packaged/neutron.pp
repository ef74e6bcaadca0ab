# Network node: neutron with its agents.
class { 'neutron':
  default_transport_url => 'rabbit://openstack:secret@10.0.0.3:5672/',
  core_plugin           => 'ml2',
  service_plugins       => ['router', 'metering'],
  dhcp_agents_per_network => 2,
}
class { 'neutron::db': database_connection => 'mysql+pymysql://neutron:secret@10.0.0.2/neutron' }
class { 'neutron::logging': debug => true }
class { 'neutron::keystone::authtoken': password => 'secret', auth_url => 'http://10.0.0.5:5000' }
class { 'neutron::server': sync_db => true, api_workers => 4, rpc_workers => 4 }
class { 'neutron::server::notifications': }
class { 'neutron::server::notifications::nova': password => 'secret' }
class { 'neutron::server::placement': password => 'secret' }
class { 'neutron::plugins::ml2':
  type_drivers         => ['flat', 'vlan', 'vxlan'],
  tenant_network_types => ['vxlan'],
  mechanism_drivers    => ['openvswitch', 'l2population'],
  network_vlan_ranges  => Integer[1, 20].map |$number| { "physnet${number}:100:200" },
  vni_ranges           => ['1:4000'],
}
class { 'neutron::agents::ml2::ovs':
  local_ip        => '10.0.2.1',
  tunnel_types    => ['vxlan'],
  l2_population   => true,
  bridge_mappings => Integer[1, 20].map |$number| { "physnet${number}:br-${number}" },
}
class { 'neutron::agents::dhcp': dhcp_driver => 'neutron.agent.linux.dhcp.Dnsmasq' }
class { 'neutron::agents::l3': interface_driver => 'openvswitch', ha_enabled => true }
class { 'neutron::agents::metadata': shared_secret => 'secret' }
class { 'neutron::agents::metering': }
class { 'neutron::quota': quota_network => 50 }
class { 'neutron::cors': allowed_origin => 'https://panel.example.com' }
Integer[1, 60].each |$number| {
  neutron_config { "section${number}/name": value => "value ${number}" }
  sysctl::value { "net.ipv4.conf.eth${number}.rp_filter": value => '0' }
}
