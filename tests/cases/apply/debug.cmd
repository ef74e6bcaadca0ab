# Debug records about resources, with the reference's messages.
# case: differs=D703 oracle=no
cat > site.pp <<END
class a {
  file { '$PWD/d': ensure => directory }
  file { '$PWD/d/f': content => 'x', notify => Exec['e'] }
  exec { 'e': command => '/bin/echo hi', refreshonly => true }
  exec { '/bin/true': unless => '/bin/false', onlyif => '/bin/true', user => 'root' }
  exec { 'words': command => ['/bin/echo', 'a b'], provider => posix }
  exec { 'secret': command => Sensitive('/bin/echo secret') }
}
include a
notify { 't': require => Class['a'] }
schedule { 'never': period => never }
notify { 's': schedule => 'never' }
file { '$PWD/absent': mode => '0644' }
END
bunraku apply --certname n --no-facts --vardir v --log-format one-line --debug site.pp > output 2>&1
sed -E -e "s,$PWD,<here>,g" -e "s/in [0-9.]+ seconds/in N seconds/; s/version '[0-9]+'/version 'N'/" output
