# Without a store, the nodes of a run export to each other, in rounds until nothing changes.
mkdir -p environments/production/modules
for node in a b c d lonely; do echo '{"kernel": "Linux"}' > "$node.json"; done
cat > site.pp <<'END'
define greeting($text) { notify { "${title}: ${text}": } }
node a { @@notify { 'from a': tag => 't', message => 'hello' } @@greeting { 'of a': text => 'good day' } }
node b { Notify <<| tag == 'T' and message != 'other' |>> }
node c { Greeting <<| |>> @@notify { 'own': tag => 'u' } Notify <<| tag == 'u' |>> Notify <<| title == 'no such' |>> }
# A node that collects resources may export others in turn.
node d {
  Notify <<| tag == 't' |>>
  if $facts['kernel'] == 'Linux' { @@notify { 'from d': tag => 'u', message => 'd', count => 3 } }
}
node lonely { notify { 'alone': } }
END
sed -i 's/, count => 3//' site.pp
run() { echo "# $1"; shift; bunraku fleet compile --environmentpath environments *.json --manifest site.pp --output out "$@" | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d' || echo "exit $?"
  for node in a b c d lonely; do echo "$node: $(grep -o '"title": "\(from\|of\|own\|alone\)[^"]*"' "out/$node.json" | sort | tr '\n' ' ')"; done; }
run 'no cache'
cp -r out first
run 'a cache' --cache cache
diff -r first out && echo 'the same bytes'
run 'all from the cache' --cache cache
diff -r first out && echo 'the same bytes'
sed -i "s/'hello'/'good morning'/" site.pp
run 'the manifest has changed' --cache cache
echo '{"kernel": "windows"}' > d.json
run 'a fact of d: what c collects has changed' --cache cache
rm a.json
echo '# a has gone'
bunraku fleet compile --environmentpath environments *.json --manifest site.pp --output out --cache cache | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'
grep -c 'from a' out/b.json
echo '# two export the same'
cat > twice.pp <<'END'
node a, b { @@notify { 'same': } }
node c, d { Notify <<| |>> }
node default { }
END
echo '{}' > a.json
bunraku fleet compile --environmentpath environments a.json b.json c.json lonely.json --manifest twice.pp | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'
echo '# what never settles'
cat > circle.pp <<'END'
define ping() { @@pong { "${title}b": } }
define pong() { @@ping { "${title}a": } }
node a { @@ping { 'x': } Pong <<| |>> }
node b { Ping <<| |>> }
node default { }
END
bunraku fleet compile --environmentpath environments a.json b.json --manifest circle.pp | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'
echo '# puppetdb_query needs a store'
echo 'puppetdb_query("nodes{}")' > query.pp
bunraku fleet compile --environmentpath environments a.json --manifest query.pp | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'
