# Mistakes in the levels of hiera.yaml, and valid unusual forms.
# case: differs=D659 timeout=120
mkdir -p production/data
printf 'a: 1\nlist: [x]\n' > production/data/common.yaml
echo 'a: A' > production/data/a.yaml
printf 'b: B\na: 2\n' > production/data/b.yaml
echo '{"role": "web", "list": ["a", "b"]}' > facts.json
look() {
  bunraku lookup a --environmentpath . --hiera_config /nonexistent --facts facts.json --node n.example.com --render-as s 2>&1 | sed "s,$PWD,<folder>,"
}
while read -r level; do
  echo "## $level"
  printf 'version: 5\nhierarchy:\n  - %s\n' "$level" > production/hiera.yaml
  look
done <<'LEVELS'
{name: x}
{name: x, path: common.yaml}
{path: common.yaml}
{name: "", path: common.yaml}
{name: 5, path: common.yaml}
{name: x, path: ""}
{name: x, path: 5}
{name: x, path: [common.yaml]}
{name: x, path: }
{name: x, paths: common.yaml}
{name: x, paths: []}
{name: x, paths: [a.yaml, 5]}
{name: x, paths: [a.yaml, ""]}
{name: x, path: a.yaml, paths: [b.yaml]}
{name: x, path: a.yaml, glob: "*.yaml"}
{name: x, glob: "*.yaml"}
{name: x, globs: "*.yaml"}
{name: x, globs: ["*.yaml", "a*"]}
{name: x, glob: 5}
{name: x, glob: ["*"]}
{name: x, uri: "not a uri"}
{name: x, mapped_paths: [facts.list, i, "%{i}.yaml"]}
{name: x, mapped_paths: [facts.list, i]}
{name: x, mapped_paths: x}
{name: x, mapped_paths: [facts.list, i, "%{i}.yaml", z]}
{name: x, mapped_paths: [facts.nosuch, i, "%{i}.yaml"]}
{name: x, mapped_paths: [nosuch, i, "%{i}.yaml"]}
{name: x, mapped_paths: [facts.role, i, "%{i}.yaml"]}
{name: x, mapped_paths: [facts, i, "%{i}.yaml"]}
{name: x, mapped_paths: ["%{facts.list}", i, "%{i}.yaml"]}
{name: x, mapped_paths: [5, i, "%{i}.yaml"]}
{name: x, mapped_paths: ["", i, "%{i}.yaml"]}
{name: x, mapped_paths: [facts.list, "", "%{i}.yaml"]}
{name: x, mapped_paths: [facts.list, i, ""]}
{name: x, mapped_paths: [facts.list, i, "a.yaml"], path: a.yaml}
{name: x, mapped_paths: [facts.list, facts, "%{facts}.yaml"]}
{name: x, mapped_paths: [facts.list, "i.j", "%{i.j}.yaml"]}
{name: x, mapped_paths: [facts.list, "I", "%{I}.yaml"]}
{name: x, path: a.yaml, datadir: 5}
{name: x, path: a.yaml, datadir: ""}
{name: x, path: a.yaml, datadir: nope}
{name: x, path: a.yaml, datadir: "%{facts.nope}/data"}
{name: x, path: a.yaml, datadir: /nonexistent}
{name: x, path: a.yaml, options: 5}
{name: x, path: a.yaml, options: {path: x}}
{name: x, path: a.yaml, options: {uri: x}}
{name: x, path: a.yaml, options: {paths: x}}
{name: x, path: a.yaml, options: {a: 1}}
{name: x, path: a.yaml, options: {5: 1}}
{name: x, path: a.yaml, options: {"A": 1}}
{name: x, path: a.yaml, options: {"a-b": 1}}
{name: x, path: a.yaml, data_hash: nope}
{name: x, path: a.yaml, data_hash: ""}
{name: x, path: a.yaml, data_hash: 5}
{name: x, path: a.yaml, data_hash: Bad}
{name: x, path: a.yaml, data_hash: yaml_data, lookup_key: x}
{name: x, path: a.yaml, lookup_key: nope}
{name: x, path: a.yaml, data_dig: nope}
{name: x, path: a.yaml, hiera3_backend: yaml}
{name: x, path: a.yaml, hiera3_backend: nope}
{name: x, path: a.yaml, nope: 1}
{name: x, data_hash: yaml_data}
{name: x, lookup_key: eyaml_lookup_key}
{name: x, path: a.yaml, lookup_key: eyaml_lookup_key}
{name: x, path: a.yaml, lookup_key: yaml_data}
{name: x, path: a.yaml, data_hash: upcase}
{name: x, path: a.yaml, data_hash: hocon_data}
{name: x, path: a.yaml, data_hash: json_data}
{name: x, path: a.yaml, v3_backend: x}
{name: "%{facts.role}", path: a.yaml}
{name: x, path: "%{lookup('a')}.yaml"}
{name: x, path: "%{alias('a')}"}
{name: x, path: "%{literal('a')}.yaml"}
{name: x, path: "%{scope('facts.role')}.yaml"}
{name: x, path: "%{nosuch}.yaml"}
{name: x, path: "%{facts.nosuch.deep}.yaml"}
{name: x, path: "%{}.yaml"}
{name: x, path: "%{facts.role.x}.yaml"}
{name: x, path: "%{facts.list.0}.yaml"}
{name: x, path: "%{facts.list.x}.yaml"}
{name: x, path: "%{facts.list.9}.yaml"}
{name: x, path: "%{nope('a')}.yaml"}
{name: x, path: "%{facts..role}.yaml"}
{name: x, path: "%{facts.role"}
{name: x, path: "%{'facts'.role}.yaml"}
{name: x, path: a}
{name: x, path: data/a.yaml}
{name: x, path: .}
{name: x, path: ..}
{name: x, path: ../data/a.yaml}
LEVELS
