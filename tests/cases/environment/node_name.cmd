# Which node is meant where none is named, and one without facts.
mkdir -p production/manifests production/data
printf -- '---\nversion: 5\nhierarchy:\n  - {name: a, data_hash: yaml_data, path: a.yaml}\n' > production/hiera.yaml
echo 'k: "%{trusted.certname}"' > production/data/a.yaml
echo 'notice($facts) node "named" { notice("named") } node default { notice("default") }' > production/manifests/site.pp
printf -- '--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues: []\n' > facts.yaml
given="--environmentpath . --certname cert --node_name_value named --facts facts.yaml"
bunraku catalog compile $given 2>&1 > catalog.json
bunraku lookup k --compile $given 2>&1
bunraku catalog compile n $given --default_manifest './$environment' 2>&1 > catalog.json
