# Commands: programs, checks, environment, time limits, and messages about failures.
# case: timeout=240 differs=D621
mkdir -p conf code/environments/production
echo '{}' > facts.json
apply() {
  echo "# $1"
  bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json \
    --certname node.example.com --detailed-exitcodes -e "$1" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' output | grep -v '^Notice: Compiled\|^Notice: Applied' || true
}
apply 'exec { "/bin/echo hello": logoutput => true }'
apply 'exec { "x": command => "/bin/sh -c \"echo one; echo two >&2; exit 3\"" }'
apply 'exec { "x": command => "/bin/sh -c \"exit 2\"", returns => [0, 2] }'
apply 'exec { "/bin/nonexistent arg": }'
apply 'exec { "echo x": }'
apply 'exec { "echo x": path => "/bin:/usr/bin", logoutput => true }'
apply 'exec { "nosuchprogram": path => ["/bin"] }'
apply 'exec { "/tmp": }'
apply 'exec { "x": command => "/bin/sh -c \"echo lost; exit 127\"" }'
apply 'exec { "x": command => ["/bin/sh", "-c", "kill -9 \$\$"] }'
apply 'exec { "x": command => "/bin/sleep 20", timeout => 1 }'
apply 'exec { "x": command => "/bin/echo x", unless => ["/bin/false", "/bin/true"] }'
apply 'exec { "x": command => "/bin/echo x", onlyif => "/bin/true && /bin/true" }'
apply 'exec { "x": command => "/bin/echo x", onlyif => "/bin/nonexistent" }'
apply 'exec { "x": command => "/bin/echo x", creates => "/proc/version" }'
apply 'exec { "x": command => "/bin/pwd", cwd => "/nope" }'
apply 'exec { "x": command => "echo [\$A][\$HOME]", provider => shell, environment => ["A=1", "A=2"], logoutput => true }'
apply 'exec { "x": command => ["/bin/echo", "a b", ";"], logoutput => true }'
apply 'exec { "x": command => ["/bin/echo hi"] }'
apply 'exec { "x": command => "/bin/true", timeout => "abc" }'
apply 'exec { "x": command => "/bin/sh -c \"echo no; exit 1\"", tries => 2 }'
apply 'notify { "n": notify => Exec["e"] } exec { "e": command => "/bin/echo e", refresh => "/bin/echo again", logoutput => true }'
apply 'exec { "x": command => ["/usr/bin/printf", "\\377x"], returns => 1 }'
printf '#!/no/such/interpreter\n' > program
chmod 755 program
apply "exec { '$PWD/program': unless => '$PWD/program' }"
unset DEBIAN_FRONTEND
echo "## variables beside packages, whose installation must not ask questions"
show='/bin/sh -c "env | grep _FRONTEND | sort"'
apply "exec { '$show': environment => 'APT_LISTBUGS_FRONTEND=text', logoutput => true } package { 'x': provider => gem, ensure => absent }"
apply "exec { '$show': logoutput => true }"
