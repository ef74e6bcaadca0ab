# One site of the web server.
define profile::web::site (
  Profile::Site        $site,
  Stdlib::Absolutepath $folder,
  Integer[0, 99]       $priority = if $title == 'default' { 99 } else { 50 },
) {
  $file = sprintf('%02d-%s.conf', $priority, $title)

  file { "${folder}/${file}":
    ensure  => file,
    content => epp('profile/site.conf.epp', { 'title' => $title, 'site' => $site }),
  }

  if $site['root'] {
    file { $site['root']:
      ensure => directory,
      owner  => $profile::web::server::user,
      mode   => '0755',
      tag    => 'document_root',
    }
  }

  if $site['tls'] {
    exec { "certificate for ${title}":
      command => "/usr/local/bin/get-certificate ${shellquote($site['names'])}",
      creates => "/etc/ssl/sites/${title}.pem",
      before  => Service['nginx'],
    }
  }
}
