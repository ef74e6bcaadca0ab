# Controller and hypervisor of a small cloud: nova, placement and glance.
class { 'nova':
  default_transport_url => 'rabbit://openstack:secret@10.0.0.3:5672/',
}
class { 'nova::db': database_connection => 'mysql+pymysql://nova:secret@10.0.0.2/nova', api_database_connection => 'mysql+pymysql://nova_api:secret@10.0.0.2/nova_api' }
class { 'nova::logging': debug => false }
class { 'nova::keystone::authtoken': password => 'secret', auth_url => 'http://10.0.0.5:5000', www_authenticate_uri => 'http://10.0.0.5:5000' }
class { 'nova::keystone::service_user': password => 'secret' }
class { 'nova::api': enabled => true, service_name => 'httpd' }
include nova::metadata
include apache
include nova::wsgi::apache_api
class { 'nova::conductor': workers => 4 }
class { 'nova::scheduler': }
class { 'nova::scheduler::filter': scheduler_enabled_filters => ['ComputeFilter', 'ImagePropertiesFilter'] }
class { 'nova::vncproxy': host => '10.0.0.5' }
class { 'nova::compute': vncserver_proxyclient_address => '10.0.0.5', reserved_host_memory => 4096 }
class { 'nova::compute::libvirt': virt_type => 'kvm' }
class { 'nova::network::neutron': password => 'secret', auth_url => 'http://10.0.0.5:5000/v3' }
class { 'nova::placement': password => 'secret', auth_url => 'http://10.0.0.5:5000/v3' }
class { 'nova::quota': instances => 100 }
include nova::cron::archive_deleted_rows
class { 'placement': }
class { 'placement::keystone::authtoken': password => 'secret' }
class { 'placement::db': database_connection => 'mysql+pymysql://placement:secret@10.0.0.2/placement' }
class { 'placement::api': api_service_name => 'httpd' }
include placement::wsgi::apache
class { 'glance::api::db': database_connection => 'mysql+pymysql://glance:secret@10.0.0.2/glance' }
class { 'glance::api::authtoken': password => 'secret' }
class { 'glance::api': enabled_backends => ['store:file'], default_backend => 'store' }
glance::backend::multistore::file { 'store': filesystem_store_datadir => '/srv/glance' }
