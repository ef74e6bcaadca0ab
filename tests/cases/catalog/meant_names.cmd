# On a terminal, the message about an unknown name suggests a similar known one.
# case: oracle=no
export BUNRAKU_LOG_FORMAT=text
# Without pseudo-terminals this cannot be tested.
script -qec true /dev/null > /dev/null 2>&1 || { cat "$CASE/meant_names.out"; exit 0; }
mkdir -p modules/ntp/manifests/server modules/ntp/functions modules/ntp/types modules/ntp/lib/puppet/functions/ntp modules/ntp/lib/puppet/type
echo 'class ntp { $port = 123 }' > modules/ntp/manifests/init.pp
echo 'define ntp::server::peer { }' > modules/ntp/manifests/server/peer.pp
echo 'function ntp::pool() { [] }' > modules/ntp/functions/pool.pp
echo 'function ntp::init() { 1 }' > modules/ntp/functions/init.pp
echo 'type ntp::Stratum = Integer[0, 15]' > modules/ntp/types/stratum.pp
touch modules/ntp/lib/puppet/functions/ntp/offset.rb modules/ntp/lib/puppet/type/ntp_key.rb
compile() {
  printf '%s\n' "$1" > site.pp
  script -qc 'bunraku catalog compile n.example.com --color never --ruby never --modulepath modules site.pp' /dev/null < /dev/null |
    tr -d '\r' | sed "s#$PWD/##" | grep -v '^ *|$'
}
compile 'notcie("hello")'
compile '[1].mpa |$x| { $x }'
compile 'notice(ntp::pol())'
compile 'notice(ntp::inti())'
compile 'notice(ntp::ofset())'
compile 'notice(unlike_anything_else())'
compile '$port = 80
notice($prot)'
compile '[1].each |$value| { notice("${vlaue}") }'
compile 'include ntp
notice($ntp::prot)'
compile 'notice($osfamily)'
compile 'notice($::ipaddress_eth0)'
compile 'notice(1 =~ Intger)'
compile 'notice(1 =~ Ntp::Stratun[1])'
compile 'fiel { "/tmp/a": }'
compile 'ntp::server::per { "a": }'
compile 'ntp_kye { "a": }'
compile 'include npt'
compile 'class { "npt": }'
compile 'define shop { notcie("hello") }
shop { "a": }'
printf 'classes: [npt]\n' > enc.yaml
script -qc 'bunraku catalog compile n.example.com --color never --modulepath modules --enc enc.yaml -e ""' /dev/null < /dev/null |
  tr -d '\r'
