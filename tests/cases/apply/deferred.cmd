# Values that are computed on the host, before the run or when their resource is reached; --test has detailed exit codes.
# case: differs=D492 oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{"os": {"family": "Debian"}}' > facts.json
plain() { grep -v "Compiled\|Applied" log | sed -e "s,$PWD,<here>,g" -e "s/version '[0-9]*'/version '<version>'/"; }
apply() { bunraku apply $settings --facts facts.json --certname n "$@" > log 2>&1 && code=0 || code=$?; plain; echo "exit $code"; }
apply -e "exec { '/bin/sh -c \"echo made > $PWD/source\"': } -> file { '$PWD/late': content => Deferred('file', ['$PWD/source']) }"
cat late
apply -e "file { '$PWD/first': content => Deferred('sprintf', ['%s-%s', Deferred('\$facts', ['os', 'family']), 'x']) }" --preprocess_deferred
cat first; echo
apply --show_diff -e "file { '$PWD/first': content => Sensitive(Deferred('upcase', ['secret'])) }"
cat first; echo
echo "Of one resource, the others go on:"
apply -e "file { '$PWD/bad': content => Deferred('fail', ['no value']) } notify { 'after': require => File['$PWD/bad'] } notify { 'beside': }"
echo "Before anything is applied:"
apply -e "file { '$PWD/bad': content => Deferred('fail', ['no value']) } notify { 'beside': }" --preprocess_deferred
apply --test -e "exec { '/bin/true': }"
