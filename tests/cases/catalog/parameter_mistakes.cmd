# On a terminal, wrong parameters are shown at their assignment and at their declaration.
# case: oracle=no
export BUNRAKU_LOG_FORMAT=text
# Without pseudo-terminals this cannot be tested.
script -qec true /dev/null > /dev/null 2>&1 || { cat "$CASE/parameter_mistakes.out"; exit 0; }
compile() {
  printf '%s\n' "$1" > site.pp
  script -qc 'bunraku catalog compile n.example.com --color never site.pp' /dev/null < /dev/null | tr -d '\r' |
    sed "s#$PWD/##"
  echo
}
compile 'define vhost(Integer $port) { }
vhost { "shop":
  prot => 80,
}'
compile 'define vhost(Integer $port) { }
vhost { "shop":
  port => "80",
}'
compile 'class web(Integer $port, String $user = "www") { }
class { "web":
  user => 12,
}'
compile 'class web(Integer $port) { }
include web'
compile 'notify { "hello":
  mesage => "you",
}'
compile 'notify { "hello":
  unheard_of => 1,
}'
compile 'define vhost(Integer $port) { }
create_resources("vhost", { "shop" => { "port" => "80" } })'
mkdir -p environments/production/data environments/production/manifests
printf 'version: 5\n' > environments/production/hiera.yaml
printf 'web::port: "80"\n' > environments/production/data/common.yaml
printf 'class web(Integer $port) { }\ninclude web\n' > environments/production/manifests/site.pp
script -qc 'bunraku catalog compile n.example.com --no-facts --color never --environmentpath environments' /dev/null < /dev/null |
  tr -d '\r' | sed "s#$PWD/##"
