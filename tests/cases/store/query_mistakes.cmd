S="--store sqlite:nodes.db"
bunraku store migrate $S
for query in 'nodes{' 'nodes { nosuch = 1 }' 'bogus {}' 'nodes[x] {}' 'nodes { certname > "a" }' 'nodes { report_timestamp > "soon" }' \
  'nodes { certname = "a" AND certname = "b" }' 'nodes { limit 1 limit 2 }' 'nodes { order by nosuch }' \
  'nodes { certname ~ "(" }' '["from"]' '["from","nodes",["and"]]' '[' 'facts[max(name)] { }' 'nodes { packages { version = "1" } }'; do
  bunraku query "$query" $S || echo "exit $?"
done
bunraku query "$(printf 'nodes[\377] {}')" $S || echo "exit $?"
bunraku query 'nodes {}' --store sqlite:missing.db || echo "exit $?"
bunraku query 'nodes {}' --store mysql://x || echo "exit $?"
