# The default node.
mkdir -p production/manifests production/data
printf -- '---\nversion: 5\nhierarchy:\n  - {name: a, data_hash: yaml_data, path: a.yaml}\n' > production/hiera.yaml
echo 'k: found' > production/data/a.yaml
echo 'notice($facts[family]) node "named" { notice("named") } node default { notice("default") }' > production/manifests/site.pp
echo 'family: Debian' > facts.yaml
given="--environmentpath . --certname cert --node_name_value named --facts facts.yaml"
bunraku catalog compile --no-facts $given 2>&1 > catalog.json
bunraku lookup k --format json --no-facts --compile $given 2>&1
bunraku catalog compile n --no-facts $given --default_manifest './$environment' 2>&1 > catalog.json

# A node without facts.
printf -- '--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues: []\n' > none.yaml
bunraku catalog compile n --environmentpath . --facts none.yaml -e 'notice($facts.empty)' 2>&1 > catalog.json
