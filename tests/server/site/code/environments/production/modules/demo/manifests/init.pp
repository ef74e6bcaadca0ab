# The class that nodes have.
class demo(String $text = 'plain', Integer $count = 2) {
  file { '/tmp/demo': content => "${text} ${count} for ${trusted['certname']} ${trusted['authenticated']}\n", mode => '0644' }
  file { '/tmp/demo.txt': source => 'puppet:///modules/demo/a.txt' }
  file { '/tmp/demo.tree': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }
  notify { 'environment': message => $environment, require => File['/tmp/demo'] }
}
