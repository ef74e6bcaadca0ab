# Mistakes in hiera.yaml as a whole, and valid unusual forms.
# case: timeout=120
mkdir -p production/data
printf 'a: 1\nlist: [x]\n' > production/data/common.yaml
echo 'a: A' > production/data/a.yaml
printf 'b: B\na: 2\n' > production/data/b.yaml
echo '{"role": "web", "list": ["a", "b"]}' > facts.json
look() {
  bunraku lookup a --environmentpath . --hiera_config /nonexistent --facts facts.json --node n.example.com --render-as s 2>&1 | sed "s,$PWD,<folder>,"
}
while read -r file; do
  echo "## $file"
  printf "$file" > production/hiera.yaml
  look
done <<'FILES'
version: 5
version: "5"
version: 6
version: 4
version: 3
version: 2
version: -1
version: 5.0
version: x
version:
{}
[]
x
5
false
version: 5\nnope: 1
version: 5\nhierarchy:
version: 5\nhierarchy: x
version: 5\nhierarchy: {}
version: 5\nhierarchy: []
version: 5\nhierarchy: [x]
version: 5\nhierarchy: [{}]
version: 5\ndefaults:
version: 5\ndefaults: []
version: 5\ndefaults: {}
version: 5\ndefaults: {nope: 1}
version: 5\ndefaults: {datadir: 5}
version: 5\ndefaults: {datadir: ""}
version: 5\ndefaults: {data_hash: yaml_data, lookup_key: x}
version: 5\ndefaults: {data_hash: 5}
version: 5\ndefaults: {options: 5}
version: 5\ndefaults: {options: {a: 1}}
version: 5\ndefaults: {data_hash: yaml_data, options: {a: 1}}
version: 5\ndefaults: {path: x}
version: 5\ndefaults: {name: x}
version: 5\ndefault_hierarchy: []
version: 5\ndefault_hierarchy: [{name: x, path: common.yaml}]
version: 5\nplan_hierarchy: [{name: x, path: common.yaml}]
: bad
version: 5\nversion: 4
a: [
FILES
