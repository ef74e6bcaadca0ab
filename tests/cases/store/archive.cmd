# An exported archive can be imported, with equal contents.
bunraku store import "$CASE/fleet" --store sqlite:a.db
bunraku store export out.tgz --store sqlite:a.db
tar tzf out.tgz | sed 's/-[0-9a-f]\{40\}/-*/' | sort | uniq -c
bunraku store import out.tgz --store sqlite:b.db
for query in 'nodes[certname, latest_report_status, latest_report_hash] { order by certname }' 'facts { order by certname, name }' \
  'resources { order by certname, type, title }' 'edges { order by certname, source_type, source_title, target_type, target_title }' \
  'events[certname, status, resource_title, property, timestamp] { order by certname, timestamp, resource_title, property }' \
  'package_inventory { order by certname, package_name }'; do
  bunraku query "$query" --store sqlite:a.db --format json > a.json
  bunraku query "$query" --store sqlite:b.db --format json > b.json
  cmp a.json b.json && echo "same: $(grep -c '"certname"' a.json) rows"
done
echo "--- again, which changes nothing"
bunraku store import "$CASE/fleet" --store sqlite:a.db
bunraku query 'reports[count()] { type = "any" }' --store sqlite:a.db
bunraku store check --store sqlite:a.db
echo "--- mistakes"
mkdir -p broken/facts; echo '{"certname": "x"}' > broken/facts/x.json; echo '{' > broken/facts/y.json
bunraku store import broken --store sqlite:a.db || echo "exit $?"
bunraku store import nosuch.tgz --store sqlite:a.db || echo "exit $?"
echo text > text.tgz; bunraku store import text.tgz --store sqlite:a.db || echo "exit $?"
