# A provider that is not native fails only its own resource, whether or not its program is installed.
# case: oracle=no timeout=60
mkdir -p conf bin
echo '{}' > facts.json
printf '#!/bin/sh\necho asked >> %s/asked\n' "$PWD" > bin/opkg
chmod 755 bin/opkg
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --certname n --facts facts.json"
manifest='
package { "a": provider => opkg }
package { "b": provider => aix }
notify { "after": require => Package["a"] }
notify { "other": }'
status=0
PATH=$PWD/bin:$PATH bunraku apply $settings --detailed-exitcodes -e "$manifest" 2>&1 | grep -v -e Applied -e Compiled
PATH=$PWD/bin:$PATH bunraku apply $settings --detailed-exitcodes -e "$manifest" > again 2>&1 || status=$?
echo "exit $status"
[ ! -e asked ] || echo "the program was called"
bunraku apply $settings -e "$manifest" 2>&1 | grep Package
