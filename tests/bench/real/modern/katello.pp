# facts: redhat
# A Katello server: Foreman with plugins, Candlepin, Pulp, certificates.
class { 'foreman::repo': repo => 'nightly' }
class { 'katello::repo': repo_version => 'nightly' }
class { 'foreman':
  initial_admin_password => 'secret',
  initial_organization   => 'Example',
  initial_location       => 'Here',
  db_password            => 'secret',
  oauth_consumer_key     => 'key',
  oauth_consumer_secret  => 'secret',
  apache                 => true,
  rails_cache_store      => { 'type' => 'redis', 'urls' => ['localhost:8479/4'] },
}
class { 'katello::globals': }
class { 'katello': candlepin_db_password => 'secret', candlepin_oauth_secret => 'secret', hosts_queue_workers => 2 }
class { 'foreman::cli': foreman_url => 'https://katello.example.com', username => 'admin', password => 'secret' }
include foreman::cli::katello
include foreman::plugin::remote_execution
include foreman::plugin::ansible
include foreman::plugin::discovery
include foreman::plugin::openscap
include foreman::plugin::templates
include foreman::plugin::bootdisk
include foreman::compute::libvirt
include foreman::compute::vmware
class { 'pulpcore': postgresql_db_password => 'secret', worker_count => 8, django_secret_key => 'secret', allowed_content_checksums => ['sha256', 'sha512'] }
include pulpcore::plugin::rpm
include pulpcore::plugin::deb
include pulpcore::plugin::file
include pulpcore::plugin::container
include pulpcore::plugin::ansible
include pulpcore::plugin::certguard
Integer[1, 40].each |$number| {
  foreman_config_entry { "setting${number}": value => "value ${number}" }
  foreman_hostgroup { "group${number}": description => "Group ${number}" }
}
