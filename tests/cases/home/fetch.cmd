# case: oracle=no
# Facts from a store, printed, saved, and found automatically.
fleet="$CASE/../store/fleet"
ask() {
  echo "## $*"
  bunraku "$@" --log-format text > answer 2>&1 || echo "exit $?"
  sed "s#$PWD#HERE#g" answer | head -${lines:-6}
}
mkdir -p repository/manifests
cd repository
touch environment.conf
echo 'notify { "a ${facts["os"]["name"]}": }' > manifests/site.pp
bunraku store import "$fleet" --store sqlite:../nodes.db > /dev/null
store=sqlite:../nodes.db
lines=3 ask facts fetch web1.example.com --store "$store"
ask facts fetch web1.example.com --save --store "$store"
ask facts fetch --store "$store"
ls facts
ask facts fetch web1.example.com db1.example.com --into ../elsewhere --store "$store"
ls ../elsewhere
stat -c %a ../elsewhere/*
ask facts fetch nosuch.example.com --store "$store"
ask facts fetch --store sqlite:../nosuch.db
ask facts fetch --server puppetdb.example.com
ask facts fetch --vardir "$PWD/none"
echo "## compiling finds them in the store"
rm -r facts
bunraku catalog compile web1.example.com --store "$store" 2>&1 | grep -o '"title": "a .*"'
echo "## a server"
port=$(ruby -rsocket -e 's = TCPServer.new("127.0.0.1", 0); puts s.addr[1]')
bunraku store serve --listen 127.0.0.1:$port --store "$store" > ../serve.log 2>&1 &
server=$!
for attempt in $(seq 100); do ruby -rsocket -e 'TCPSocket.new("127.0.0.1", ARGV[0].to_i)' $port 2> /dev/null && break; sleep 0.1; done
bunraku facts fetch --server http://127.0.0.1:$port
bunraku facts fetch web1.example.com --server http://127.0.0.1:$port | cmp - facts/web1.example.com.json && echo same
kill $server
wait $server 2> /dev/null || true
bunraku facts fetch --server http://127.0.0.1:$port 2>&1 | sed "s/$port/PORT/g" || true
