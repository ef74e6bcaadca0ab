# Values of attributes that types refuse, and the order in which attributes are checked.
# case: timeout=240 differs=D721
mkdir -p conf code/environments/production
echo '{}' > facts.json
apply() {
  echo "# $1"
  bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json \
    --certname node.example.com --noop --detailed-exitcodes -e "$1" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' output | grep -v '^Notice: Compiled\|^Notice: Applied' || true
}
apply 'file { "/nonexistent/a": ctime => "10k", sourceselect => "x" }'
apply 'file { "/nonexistent/a": type => "file" }'
apply 'file { "/nonexistent/a": force => "b c" }'
apply 'file { "/nonexistent/a": selinux_ignore_defaults => ["true"] }'
apply 'file { "/nonexistent/a": source_permissions => "a" }'
apply 'file { "/nonexistent/a": checksum_value => "jan" }'
apply 'file { "/etc": content => "x", checksum_value => "jan" }'
apply 'file { "/nonexistent/a": content => "x", checksum => md5, checksum_value => "jan" }'
apply 'file { "/nonexistent/a": checksum => none, checksum_value => "jan" }'
apply 'exec { "/bin/true": umask => 22 }'
apply 'exec { "/bin/true": umask => "99" }'
apply 'exec { "/bin/true": cwd => ["/tmp"] }'
apply 'exec { "/bin/true": try_sleep => "2024-01-01" }'
apply 'tidy { "/nonexistent": recurse => "-3" }'
apply 'tidy { "/nonexistent": recurse => Sensitive("hunter2") }'
apply 'user { "daemon": allowdupe => Sensitive("a\"b") }'
apply 'user { "daemon": password => Sensitive("a:b") }'
apply 'exec { "/bin/true": environment => Sensitive(["A=1", "hunter2"]) }'
apply 'tidy { "/nonexistent": recurse => "2", matches => "a" }'
apply 'tidy { "/nonexistent": path => 7 }'
apply 'mount { "/nonexistent": atboot => "sat-sun" }'
apply 'package { "a": name => ["b", "c"], ensure => absent }'
apply 'service { "a": path => { "b" => 1 } }'
apply 'user { "daemon": allowdupe => "" }'
apply 'sshkey { "a": ensure => "jan", type => "rsa" }'
apply 'sshkey { "a": ensure => "jan", type => "rsb" }'
apply 'sshkey { "a@ssh-rsa": ensure => absent }'
apply 'exec { "a": command => Sensitive("hunter2 b") }'
apply 'exec { "/bin/true": onlyif => Sensitive("/hunter2 b") }'
apply 'exec { "/bin/true": onlyif => Sensitive("hunter2 b") }'
apply 'exec { "/bin/true": unless => Sensitive("/bin/sleep 5"), timeout => 0.1 }'
apply 'exec { "/bin/true": onlyif => Sensitive("hunter2 b"), provider => shell }'
