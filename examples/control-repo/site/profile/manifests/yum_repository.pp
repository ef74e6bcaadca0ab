# One package repository of a RedHat system.
define profile::yum_repository (
  String[1]           $descr,
  Stdlib::HTTPUrl     $baseurl,
  Boolean             $enabled = true,
  Optional[String[1]] $gpgkey  = undef,
) {
  file { "/etc/yum.repos.d/${title}.repo":
    ensure  => file,
    mode    => '0644',
    content => profile::ini({
      $title => {
        'name'     => $descr,
        'baseurl'  => $baseurl,
        'enabled'  => Integer($enabled),
        'gpgcheck' => 1,
        'gpgkey'   => $gpgkey,
      },
    }, '='),
  }
}
