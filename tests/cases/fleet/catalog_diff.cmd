# Two catalogs compared.
catalog() { bunraku catalog compile n -e "$1" > "$2"; }
differ() { bunraku catalog diff "$@" && echo "exit 0" || echo "exit $?"; }
catalog '
class a {
  file { "/a": content => "one\ntwo\nthree\nfour\nfive\nsix\n", mode => "0644", require => [File["/b"], Notify["x"]] }
}
include a
file { "/b": ensure => directory }
notify { "x": loglevel => debug }
file { "/s": content => Sensitive("old") }
exec { "/bin/true": before => File["/b"] }' old.json
catalog '
class a {
  file { "/a": content => "one\ntwo\n3\nfour\nfive\nsix\n", owner => "root" }
}
class b { notify { "x": loglevel => info } }
include a
include b
file { "/b": ensure => file, before => File["/a"] }
Notify["x"] -> File["/a"]
file { "/s": content => Sensitive("new") }
exec { "/bin/false": }' new.json
differ old.json new.json
differ old.json new.json --format json
differ old.json new.json --color always | head -n 4
differ old.json new.json --ignore 'File[/?]' --ignore Exec --ignore 'Notify[x]::*' --ignore Class
differ old.json old.json
differ old.json new.json --format html | grep -c -e '"resource":"File\[/a\]"' -e 'http'
differ old.json new.json --format html | grep -c '"new"' || echo 'nothing Sensitive'
echo '{"resources": 1}' > bad.json
differ old.json bad.json
differ old.json missing.json
differ old.json new.json --ignore 'File['
