# Packages, users, groups and services are queried with the provider of the host; nothing is changed here.
# case: oracle=no timeout=60
mkdir -p conf code/environments/production
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
apply() { bunraku apply --noop $settings --facts facts.json --certname n -e "$1" 2>&1 | grep -v 'Compiled\|Applied\|Would have triggered' || true; }
apply "package { 'no-such-package': ensure => installed }"
apply "package { 'no-such-package': ensure => absent }"
apply "package { 'dpkg': ensure => installed }"
apply "user { 'no-such-user': ensure => present, uid => 4321 }"
apply "user { 'no-such-user': }"
apply "user { 'no-such-user': uid => 4321 }"
apply "user { 'root': ensure => present, uid => 0, gid => 0, home => '/root' }"
apply "user { 'root': uid => 'some' }"
apply "group { 'root': gid => 1 }"
apply "group { 'no-such-group': ensure => absent }"
apply "service { 'no-such-service': ensure => stopped }"
apply "package { 'dpkg': ensure => installed, provider => nothing }"
