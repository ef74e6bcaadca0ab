# Providers of the native type service that are written in Ruby.
# case: timeout=120
mkdir -p conf code/environments/production services
export KIT_SERVICES="$PWD/services"
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --rundir $PWD/run --logdir $PWD/log --modulepath $CASE/ruby_services/modules"
clean() { sed -e "s,$PWD,<here>,g" -e 's/\(in\|after\) [0-9.]* seconds/\1 <time> seconds/' | grep -v '^Notice: Compiled\|^Notice: Applied' || true; }
apply() {
  echo "# $1"
  shift
  bunraku apply $settings --certname node.example.com --detailed-exitcodes "$@" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  clean < output
}
service="service { 'a': ensure => running, enable => true, flags => '-x', manifest => 'a.conf', provider => kit_flag }"
apply 'started' -e "$service"
head services/*
apply 'nothing to do' -e "$service"
apply 'refreshed' -e "$service notify { 'n': } ~> Service['a']"
cat services/a.running
apply 'a pattern' -e "service { 'b': ensure => running, pattern => 'other', provider => kit_flag } service { 'c': ensure => running, binary => '/bin/c', provider => kit_flag }"
cat services/b.running services/c.running
apply 'noop' --noop -e "service { 'a': ensure => stopped, enable => false, provider => kit_flag }"
apply 'stopped' -e "service { 'a': ensure => stopped, enable => false, flags => '-y', provider => kit_flag } notify { 'n': } ~> Service['a']"
apply 'failed' -e "service { 'broken': ensure => running, provider => kit_flag } service { 'd': ensure => running, provider => kit_absent }"
apply 'a feature that it does not have' -e "service { 'a': enable => mask, provider => kit_flag }"
echo b > services/states
apply 'by words' -e "service { 'a': ensure => running, enable => true, provider => kit_words } service { 'b': ensure => stopped, provider => kit_words } service { 'broken': ensure => running, provider => kit_words }"
sort services/words
apply 'own commands' -e "service { 'o': ensure => running, start => '/bin/sh -c \"echo own >> $PWD/services/words\"', status => '/bin/false', provider => kit_words }"
sort services/words
printf '#!/bin/sh\necho "$0 $1" >> "$KIT_SERVICES/calls"\ntest "$1" != status\n' > services/s
chmod 755 services/s
apply 'scripts' -e "service { 's': ensure => running, provider => kit_script, hasrestart => true } service { 'none': ensure => running, provider => kit_script }"
clean < services/calls
printf '#!/bin/sh\ncase $1 in status) test -e "$KIT_SERVICES/on";; start) touch "$KIT_SERVICES/on";; stop) rm "$KIT_SERVICES/on";; esac\n' > services/script
chmod 755 services/script
apply 'switched on' -e "kit_switch { 'x': state => running }"
apply 'switched on again' -e "kit_switch { 'x': state => running }"
apply 'switched off' -e "kit_switch { 'x': state => stopped }"
test ! -e services/on
apply 'switched off again' -e "kit_switch { 'x': state => stopped }"
apply 'cannot be switched off' -e "exec { '/bin/touch $PWD/services/on': } -> exec { '/bin/rm $PWD/services/script': } -> kit_switch { 'x': state => stopped }"
echo '# shown by the provider that lists it'
bunraku resource $settings service kit_one 2>&1 | grep -v 'Permission denied\|multiple default' | clean
