# Yum repositories are read, and problems are reported; tests/guests changes some.
# case: oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
apply() { bunraku apply --noop $settings --facts facts.json --certname n -e "$1" 2>&1 | grep -v 'Compiled\|Applied\|Would have triggered' || true; }
apply "yumrepo { 'no-such-repository': descr => 'x', baseurl => 'http://a.example.com/b http://c.example.com/', enabled => 1, gpgcheck => no, ensure => present }"
apply "yumrepo { 'no-such-repository': ensure => absent }"
apply "yumrepo { 'no-such-repository': descr => 'x', baseurl => 'http://a.example.com/b' }"
apply "yumrepo { 'no-such-repository': }"
apply "yumrepo { 'a': baseurl => 'nowhere' }"
apply "yumrepo { 'a': mirrorlist => 'gopher://x' }"
apply "yumrepo { 'a': enabled => 'perhaps' }"
apply "yumrepo { 'a': metadata_expire => '1y' }"
apply "yumrepo { 'a': proxy => '_none_', password => 'secret', ensure => present }"
apply "selboolean { 'b': value => on }"
apply "selboolean { 'b': value => maybe }"
apply "selmodule { 'm': ensure => present }"
apply "package { 'bash': ensure => '>1.0 <100', provider => apt }"
apply "package { 'bash': ensure => '<1.0', provider => apt }" | sed "s/'[0-9][^']*'/'<version>'/"
