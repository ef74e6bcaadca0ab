# Changes of configuration files with Augeas lenses.
# case: oracle=no timeout=120
mkdir -p conf root/etc/ssh
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
echo '{}' > facts.json
printf '127.0.0.1\tlocalhost\n192.0.2.1\tone.example.com one\n' > root/etc/hosts
printf 'Port 22\nPermitRootLogin yes\n' > root/etc/ssh/sshd_config
apply() {
  { bunraku apply $settings --facts facts.json --certname n --detailed-exitcodes "$@" 2>&1 || echo "exit $?"; } |
    sed -e "s,$PWD,<here>,g" -e 's/^\(---\|+++\) \([^ \t]*\).*/\1 \2/' | grep -v '^Notice: Compiled\|^Notice: Applied' || true
}
augeas() {
  attributes=$1
  shift
  apply -e "augeas { 'a': root => '$PWD/root', $attributes }" "$@"
}
echo "# a value is set, once"
augeas "context => '/files/etc/ssh/sshd_config', changes => ['set Port 2222', 'set PermitRootLogin no']" --show_diff
augeas "context => '/files/etc/ssh/sshd_config', changes => ['set Port 2222', 'set PermitRootLogin no']"
cat root/etc/ssh/sshd_config
echo "# one file by its lens"
augeas "incl => '/etc/hosts', lens => 'Hosts.lns', changes => \"set 3/ipaddr 192.0.2.2\nset 3/canonical two.example.com\nset 3/alias[1] 'two'\""
augeas "context => '/files/etc/hosts', changes => ['ins alias after 3/alias[last()]', 'set 3/alias[last()] deux', 'rm 2']"
cat root/etc/hosts
echo "# only if"
for condition in 'match /files/etc/hosts/*[ipaddr="192.0.2.2"] size == 0' 'match 9 size > 0' "get 1/canonical == localhost" "get 1/ipaddr =~ ^127" "values *[ipaddr]/canonical include nowhere" "values */canonical == ['localhost', \"two.example.com\"]" "values */canonical not_include localhost"; do
  echo "- $condition"
  augeas "context => '/files/etc/hosts', onlyif => \"$(echo "$condition" | sed 's/"/\\"/g')\", changes => 'set 1/alias[1] x'" --noop
done
echo "# moved, renamed, cleared, defined"
augeas "context => '/files/etc/ssh/sshd_config', changes => ['setm AllowUsers/. . x', 'defnode match Match[last()+1] \"\"', 'set \$match/Condition/User bob', 'set \$match/Settings/X11Forwarding no', 'touch \$match/Settings/PermitTTY', 'set \$match/Settings/PermitTTY no', 'defvar port Port', 'set \$port 22', 'rename PermitRootLogin PasswordAuthentication']"
cat root/etc/ssh/sshd_config
echo "# failures"
augeas "changes => 'frobnicate /x'"
augeas "changes => 'set'"
augeas "changes => 'set /files/etc/hosts/1/nonsense value'"
augeas "changes => 'set /files/etc/hosts[ x'"
augeas "changes => 'ins a beside /files/etc/hosts/1'"
augeas "changes => 'set /files/etc/hosts/1/canonical x', onlyif => 'match /files[ size == 1'"
augeas "changes => 'set /files/etc/hosts/1/canonical x', onlyif => 'get /files/x ~ 1'"
augeas "incl => '/etc/hosts', changes => []"
augeas "incl => '/etc/hosts', lens => 'NoSuch.lns', changes => 'set 1/canonical x'"
echo "# a dry run leaves nothing behind"
augeas "context => '/files/etc/hosts', changes => 'set 1/canonical other'" --noop
ls root/etc
