# Values in data with a wrong type are shown by their keys, never with their contents.
# case: oracle=no
mkdir -p manifests data/nodes modules/profile/manifests modules/profile/data
touch environment.conf
cat > hiera.yaml <<'Y'
version: 5
hierarchy:
  - { name: node, path: "nodes/%{facts.name}.yaml" }
  - { name: all, path: all.yaml }
  - { name: json, path: more.json }
Y
cat > data/all.yaml <<'Y'
outer:
  profile::port: a secret
profile::portal: a secret
profile::port: "a secret"
"quoted" : a secret
lookup_options:
  converted: { convert_to: Integer }
  profile::list: { merge: unique }
converted: a secret
profile::list: [a secret]
Y
printf '{\n  "profile::list": [2], "inline": "a secret",\n  "last": 3 }\n' > data/more.json
printf 'profile::from_module: a secret\n' > modules/profile/data/common.yaml
printf 'version: 5\nhierarchy:\n  - { name: common, path: common.yaml }\n' > modules/profile/hiera.yaml
printf 'class profile(\n  Integer $port,\n  Array[Integer] $list,\n  Integer $from_module,\n  Integer $given = 1,\n) { }\n' > modules/profile/manifests/init.pp
echo 'class { "profile": given => "a secret" }' > manifests/site.pp
printf '$port = lookup("profile::port", Integer)\n' > asks.pp
ask() {
  echo "## $*"
  bunraku "$@" --no-facts --log-format text 2>&1 || true
}
ask lookup profile::port --type Integer --node web01
ask lookup quoted --type Integer --node web01
ask lookup outer.0 nosuch last --type String --node web01
ask lookup inline --type Integer --node web01
ask lookup converted --node web01
ask lookup profile::list --type 'Array[Integer]' --node web01
ask lookup profile::from_module --type Integer --node web01
ask lookup nosuch --default a --type Integer --node web01
ask catalog compile web01
ask catalog compile web01 --manifest asks.pp
echo "## no place is known where a backend of the hierarchy made the value"
printf 'version: 5\nhierarchy:\n  - { name: made, data_hash: profile::made }\n' > hiera.yaml
mkdir modules/profile/functions
printf 'function profile::made($o, $c) { { "made" => "a secret" } }\n' > modules/profile/functions/made.pp
ask lookup made --type Integer --node web01
