S="--store sqlite:nodes.db"
bunraku store import "$CASE/fleet" $S
echo "--- tables"
bunraku query 'nodes[certname, facts_environment, latest_report_status] { order by certname }' $S
bunraku query 'inventory[certname, facts.os.family] { facts.uptime_seconds > 50 order by certname }' $S
echo "--- csv"
bunraku query 'resources[certname, title, parameters] { type ~ "^Class" and parameters.port > 80 order by certname }' $S --format csv
echo "--- json"
bunraku query 'facts[value, count()] { name = "kernel" group by value }' $S --format json
bunraku query '["from","fact_contents",["extract",["certname","value"],["~>","path",["os","release",".*"]]],["order_by",["certname",["value","desc"]]]]' $S --format csv
echo "--- subqueries"
bunraku query 'nodes[certname] { resources { type = "Class" and title = "Role::Db" } }' $S
bunraku query 'reports[certname, status] { latest_report? = true and events { status = "failure" } order by certname }' $S
bunraku query 'nodes[certname] { certname in facts[certname] { name = "is_virtual" and value = true } order by certname desc limit 1 }' $S
echo "--- nothing found"
bunraku query 'nodes { certname = "nosuch" }' $S
bunraku query 'nodes { certname = "nosuch" }' $S --format json
echo "--- facts and states of nodes"
for condition in '["=",["fact","kernel"],"Linux"]' '["~",["fact","kernel"],"^L"]' '[">",["fact","uptime_seconds"],1]' '["=",["node","active"],false]'; do
  bunraku query "[\"from\",\"nodes\",[\"extract\",\"certname\",$condition],[\"order_by\",[\"certname\"]]]" $S --format json | tr -d '\n '
  echo
done
