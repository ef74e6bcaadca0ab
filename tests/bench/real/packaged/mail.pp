# Mail, names, time and files: smaller modules together.
class { 'postfix': }
Integer[1, 40].each |$number| {
  postfix::config { "setting${number}": value => "value ${number}" }
}
postfix::hash { '/etc/postfix/access': content => "example.com OK\n" }
class { 'ntp': servers => ['0.pool.example.com', '1.pool.example.com'], restrict => ['default kod nomodify', '127.0.0.1'] }
class { 'dns': recursion => 'no', allow_query => ['any'] }
Integer[1, 40].each |$number| {
  dns::zone { "zone${number}.example.com": soa => 'ns1.example.com', soaip => '10.0.0.2', reverse => false }
}
class { 'rsync::server': use_xinetd => false }
Integer[1, 40].each |$number| {
  rsync::server::module { "share${number}": path => "/srv/share${number}", read_only => 'yes', hosts_allow => ['10.0.0.0/8'], exclude => ['*.tmp'] }
}
class { 'ssh': storeconfigs_enabled => false, server_options => { 'Port' => [22, 2222], 'PasswordAuthentication' => 'no', 'Match User backup' => { 'ForceCommand' => '/usr/bin/rsync' } } }
class { 'chrony': servers => ['0.pool.example.com'] }
include tftp
Integer[1, 20].each |$number| {
  xinetd::service { "service${number}": server => "/usr/bin/service${number}", port => String(7000 + $number), server_args => '-x', only_from => ['10.0.0.0/8'] }
}
