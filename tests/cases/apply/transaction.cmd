# Order, failures, events, skipping, noop, schedules and cycles.
# case: timeout=240 differs=D624
mkdir -p conf code/environments/production
echo '{}' > facts.json
apply() {
  echo "# $1"
  shift
  bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json \
    --certname node.example.com --detailed-exitcodes "$@" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' output | grep -v '^Notice: Compiled\|^Notice: Applied\|version' || true
  rm -rf var
}
apply 'manifest order' -e 'notify { ["z", "a", "m"]: }'
apply 'requirements' -e 'notify { "a": require => Notify["b"] } notify { "b": }'
apply 'a cycle' -e 'notify { "a": require => Notify["b"] } notify { "b": require => Notify["a"] }'
apply 'failed dependencies' -e 'exec { "/bin/false": } notify { "a": require => Exec["/bin/false"] } notify { "b": require => Notify["a"] }'
apply 'events through classes' -e 'class a { notify { "in a": } } class b { exec { "/bin/echo in b": refreshonly => true, logoutput => true } } include a, b Class["a"] ~> Class["b"]'
apply 'a refresh that fails' -e 'notify { "n": notify => Exec["/bin/false"] } exec { "/bin/false": refreshonly => true }'
apply 'noop' -e 'class c { notify { "n": } } include c exec { "/bin/echo e": refreshonly => true, subscribe => Class["c"] } notify { "real": noop => false }' --noop
apply 'tags' -e 'class one { notify { "in": } } include one notify { "out": }' --tags one
apply 'skipped tags' -e 'class one { notify { "in": } } include one notify { "out": }' --skip_tags one
apply 'an invalid tag' -e 'notify { "n": }' --tags 'a%b'
apply 'an unknown schedule' -e 'notify { "a": } notify { "b": schedule => "nope" }'
apply 'never' -e 'notify { "b": schedule => "never" }'
apply 'secrets' -e 'notify { "s": message => Sensitive("secret") } exec { "x": command => Sensitive("/bin/false secret") }'
apply 'levels' -e 'notify { "a": loglevel => warning } notify { "b": loglevel => debug } notify { "c": withpath => true }'
apply 'a missing dependency' -e 'notify { "a": require => Notify["nope"] }'
apply 'audit' -e 'file { "/proc/uptime": audit => owner }'
apply 'one notified twice' -e 'exec { "/bin/echo a": notify => [Exec["b"], Exec["b"]] } exec { "b": command => "/bin/echo b", refreshonly => true }' --verbose | grep -v 'Using environment'
apply 'a path after a warning' -e 'class c { exec { "/bin/true": environment => Sensitive(["A=b"]) } } include c' | sed 's/^Warning: .*Unable/Warning: <path>: Unable/'
apply 'a trace' -e 'notify { "a": }' --verbose --evaltrace | grep -c 'Evaluated in'
apply 'stages' -e 'stage { "first": before => Stage["main"] } class early { notify { "early": } } notify { "main": } class { "early": stage => "first" }'
bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json --format json \
  -e 'notify { "a": } exec { "/bin/false": }' 2> /dev/null | sed 's/"time":"[^"]*"/"time":"T"/; /summary/s/.*/summary/'
echo '# SIGTERM'
sh -c 'echo $$ > pid; exec "$@"' - bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" \
  --facts facts.json -e "exec { '/bin/sh -c \"kill -TERM \$(cat $PWD/pid); sleep 0.3\"': } -> notify { 'later': }" > output 2>&1 && code=0 || code=$?
sed "s,$PWD,<here>,g" output | grep -v '^Notice: Compiled\|^Notice: Applied'
echo "exit $code"
grep '^status\|^transaction_completed' var/state/last_run_report.yaml
