# Sources of nodes: exports of PuppetDB in one file, and lists that share sets of facts.
mkdir environments && ln -s "$CASE/small" environments/production
fleet() { bunraku fleet compile --environmentpath environments --format json "$@" | sed -nE 's/^\{"node":"([^"]*)","result":"([^"]*)".*"resources":([0-9]+).*/\1 \2 \3/p'; }

echo 'factsets'
cat > factsets.json <<'JSON'
[{"certname": "a1", "environment": "production", "facts": {"href": "x", "data": [
  {"name": "role", "value": "web"}, {"name": "memory", "value": 2}, {"name": "networking", "value": {"hostname": "a1"}}]}},
 {"certname": "a2", "facts": {"role": "web", "memory": 2, "networking": {"hostname": "a2"}}}]
JSON
fleet factsets.json
echo 'single facts'
cat > facts.json <<'JSON'
[{"certname": "b1", "name": "role", "value": "web"}, {"certname": "b1", "name": "memory", "value": 1},
 {"certname": "b1", "name": "networking", "value": {"hostname": "b1"}}]
JSON
fleet facts.json
echo 'a list'
cat > nodes.txt <<'TXT'
# name   facts
c1.example.com  set.json
c2.example.com  set.json  # the same
TXT
echo '{"role": "web", "memory": 2, "networking": {"hostname": "nobody", "fqdn": "nobody"}}' > set.json
fleet --nodes nodes.txt
bunraku fleet compile --nodes nodes.txt --environmentpath environments --output out > /dev/null
grep -c 'This is c2' out/c2.example.com.json

echo 'mistakes' >&2
fails() { bunraku fleet compile --environmentpath environments "$@" > /dev/null || echo "exit $?" >&2; }
fails
fails nothing-there
echo 'c3' > bad.txt
fails --nodes bad.txt
fails factsets.json factsets.json
fails factsets.json --shard 3/2
echo '[{"name": 1}]' > bad.json
fails bad.json
