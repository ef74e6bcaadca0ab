# A value that is to be made on the host is refused before anything is changed; --test has detailed exit codes.
# case: oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
apply() { bunraku apply $settings --facts facts.json --certname n "$@" > log 2>&1 && code=0 || code=$?; grep -v "Compiled\|Applied" log | sed "s,$PWD,<here>,g"; echo "exit $code"; }
apply -e "file { '$PWD/first': content => 'x' } file { '$PWD/secret': content => Deferred('upcase', ['a']) }"
apply -e "file { '$PWD/secret': content => Sensitive(Deferred('upcase', ['a'])) }"
ls
apply --test -e "exec { '/bin/true': }"
