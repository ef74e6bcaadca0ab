# Inputs of a compilation: a file, a directory in sorted order, code, the code setting; and the node.
# case: timeout=120
mkdir -p production/manifests/sub production/modules/m/manifests other/manifests conf/sites conf/own/m/manifests
printf 'notice("%s")\n' b.pp > production/manifests/b.pp
printf 'notice("%s")\n' a.pp > production/manifests/a.pp
printf 'notice("%s")\n' sub/c.pp > production/manifests/sub/c.pp
echo 'this is not read' > production/manifests/note.txt
echo 'class m($p = "default") { notice("m of the module path: ${p}") }' > production/modules/m/manifests/init.pp
echo 'notice("other: ${environment} ${trusted[certname]} ${facts[role]} ${top} ${server_facts[environment]}") include m' > other/manifests/site.pp
mkdir -p other/modules && cp -r production/modules/m other/modules/
cat > conf/environment.conf <<'CONF'
# comments and blank lines count for nothing

manifest = sites/one.pp
modulepath = own:$basemodulepath
config_version = version.sh
environment_timeout = 5m
static_catalogs = false
rich_data = false
unknown = 1
environment_data_provider = none
CONF
echo 'class m { notice("m of its own module path") }' > conf/own/m/manifests/init.pp
echo 'include m notice("conf") notify { "a": message => "x" }' > conf/sites/one.pp
printf '#!/bin/sh\necho version 7\n' > conf/version.sh
chmod +x conf/version.sh
echo '{"role": "web"}' > facts.json
echo '{"top": "variable"}' > vars.json
compile() {
  echo "## $*"
  status=0
  bunraku catalog compile --no-facts "$@" --environmentpath . --hiera_config /nonexistent > catalog.json 2> log || status=$?
  cat log
  [ "$status" = 0 ] || echo "-> $status"
}
compile n.example.com
compile n.example.com production/manifests/b.pp
compile n.example.com production/manifests/sub
compile n.example.com -e 'notice("code")'
compile n.example.com --set code='notice("the code setting")'
compile n.example.com --environment other --facts facts.json --vars vars.json
compile n.example.com --environment nosuch
compile n.example.com production/nosuch.pp
compile n.example.com --environment conf --set basemodulepath=/nonexistent
grep -E '"(version|message)"' catalog.json
rm conf/version.sh
compile n.example.com --environment conf
echo 'not a setting' > conf/environment.conf
compile n.example.com --environment conf

echo '--- classifiers'
cat > enc.yaml <<'ENC'
environment: other
parameters: {top: of the classifier, role: classified}
classes: {m: {p: of the classifier}}
ENC
compile n.example.com --enc enc.yaml --facts facts.json
echo '{"classes": ["m", "nosuch"]}' > enc.json
compile n.example.com --enc enc.json
echo '[]' > enc.json
compile n.example.com --enc enc.json
printf '#!/bin/sh\nsed "s/of the classifier/of $1/" %s/enc.yaml\n' "$PWD" > enc.sh
chmod +x enc.sh
compile n.example.com --node_terminus exec --external_nodes "$PWD/enc.sh"
printf '#!/bin/sh\necho failed >&2\nexit 3\n' > enc.sh
compile n.example.com --node_terminus exec --external_nodes "$PWD/enc.sh"
compile n.example.com --node_terminus exec --external_nodes "$PWD/nosuch.sh"
compile n.example.com --node_terminus exec --external_nodes nosuch.sh
compile n.example.com --node_terminus exec
compile n.example.com --node_terminus nosuch
printf '#!/bin/sh\ncat %s/answer.yaml\n' "$PWD" > enc.sh
for answer in '' '---' '[1]' 'a: [' 'environment: nosuch' 'parameters: [1]' 'classes: m' 'other: 1'; do
  echo "$answer" > answer.yaml
  compile n.example.com --node_terminus exec --external_nodes "$PWD/enc.sh"
done

echo '--- nodes'
nodes='node "web1", /^db[0-9]/ { notice("first") } node /^d/ { notice("second") } node default { notice("default") }'
compile web1 -e "$nodes"
compile WEB1 -e "$nodes"
compile db2.example.com -e "$nodes"
compile dd -e "$nodes"
compile web1.example.com -e "$nodes"
compile web1.example.com -e 'node web1 { }'
compile a -e 'node a { } node a { }'

echo '--- settings'
compile n -e 'notice($nosuch)'
compile n -e 'notice($nosuch)' --set strict_variables=false --set strict=warning
compile n -e 'notice($nosuch)' --set strict_variables=false --set strict=off
compile n -e 'notice({a => 1, a => 2})' --set strict=warning
compile n -e 'notice(1)' --set nosuch=1
compile n -e 'include nosuch' --set ignoremissingtypes=true
echo '--- facts'
echo 'role: yaml' > facts.yaml
compile n -e 'notice($role, $facts[role])' --facts facts.yaml
printf -- '--- !ruby/object:Puppet::Node::Facts\nname: n\nvalues:\n  role: cached\n' > facts.yaml
compile n -e 'notice($role)' --facts facts.yaml
echo '{"name": "n", "values": {"role": "shown"}}' > facts.json
compile n -e 'notice($role)' --facts facts.json
echo '[1]' > facts.json
compile n -e 'notice($role)' --facts facts.json
echo '{"authenticated": "remote", "certname": "n", "extensions": {"pp_role": "web"}}' > trusted.json
compile n -e 'notice($trusted[extensions][pp_role], $trusted[authenticated])' --trusted trusted.json
echo '{"servername": "s"}' > server.json
compile n -e 'notice($server_facts)' --server-facts server.json
compile n -e '$facts = 1'
compile n -e '$trusted = 1'
