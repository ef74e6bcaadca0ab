# The store's settings, in PuppetDB's files.
S="--store sqlite:nodes.db --confdir . --vardir ."
bunraku store import "$CASE/fleet" $S
mkdir conf.d
echo '--- what means nothing here is said'
cat > conf.d/database.ini <<'END'
; PuppetDB's
[database]
subname = //localhost:5432/puppetdb
node-ttl = 0s
node-purge-ttl = 0s
report-ttl = 36500d
[global]
vardir = /var/lib/puppetdb
END
bunraku store vacuum --store-config conf.d $S
echo '--- events go before their reports'
echo 'resource-events-ttl = 1d 12h 30m 10s 500ms' >> conf.d/database.ini
sed -i 's/^\[global\]/[unused]/' conf.d/database.ini
sed -i '/^subname/d; /^vardir/d; /^.unused/d' conf.d/database.ini
bunraku query 'events[count()] {}' $S
bunraku store vacuum --store-config conf.d $S
bunraku query 'events[count()] {}' $S
bunraku query 'reports[count()] { type = "any" }' $S
echo '--- store.ini beside puppet.conf; the latest report of a node stays'
printf '[database]\nnode-ttl = 0s\nnode-purge-ttl = 0s\nreport-ttl = 1s\n' > store.ini
bunraku store vacuum $S
bunraku query 'reports[count()] { type = "any" }' $S
echo '--- nodes expire, and are purged'
printf '[database]\nnode-ttl = 1ms\nnode-purge-ttl = 0s\n' > store.ini
sleep 1.1
bunraku store vacuum $S
bunraku query 'nodes[count()] { }' $S
bunraku query 'nodes[count()] { node_state = "inactive" }' $S
sleep 1.1
printf '[database]\nnode-purge-ttl = 1s\nnode-purge-gc-batch-limit = 2\n' > store.ini
bunraku store vacuum $S
bunraku store check $S
echo '--- mistakes'
for line in '[database' 'x = 1' 'nonsense' '[database]
node-ttl = 7 days' '[database]
node-ttl = -1s' '[database]
node-ttl = 99999999999999999999d' '[database]
gc-interval = often' '[database]
facts-blocklist-type = glob' '[database]
facts-blocklist = a, (b
facts-blocklist-type = regex' '[access]
nodes = a' '[puppetdb]
certificate-allowlist = no/such' '[jetty]
port = 70000'; do
  echo "$line" > bad.ini
  bunraku store vacuum --store-config bad.ini $S || echo "exit $?"
done
bunraku store vacuum --store-config no/such.ini $S || echo "exit $?"
