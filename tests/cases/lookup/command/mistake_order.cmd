# Which of several mistakes in a hiera.yaml is reported, and for which file.
# case: differs=D659 timeout=120
mkdir -p production/data
echo '{"role": "web"}' > facts.json
ask() {
  echo "## $1"
  bunraku lookup "${2:-a}" --format json --environmentpath . --hiera_config hiera.yaml --facts facts.json --node n.example.com 2>&1 |
    sed "s,$PWD,<here>,g"
}
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - name: one
    path: "%{nosuch}.yaml"
  - name: one
    path: common.yaml
YAML
ask 'a variable in an entry before a name given twice'
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - name: one
    path: one.yaml
  - name: one
    path: "%{nosuch}.yaml"
YAML
ask 'a variable in the entry whose name is given twice'
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - name: one
    data_hash: nosuch
    datadir: "%{nosuch}"
YAML
ask 'a variable in a folder of data that nobody needs'
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - name: one
    path: one.yaml
plan_hierarchy:
  - name: two
    path: two.yaml
  - name: two
    path: two.yaml
YAML
echo 'a: 1' > production/data/one.yaml
ask 'a name given twice for plans'
cat > production/hiera.yaml <<'YAML'
version: 4
hierarchy:
  - name: "%{nosuch}"
    backend: yaml
  - name: "%{nosuch}"
    backend: yaml
YAML
ask 'version 4: a variable before a name given twice'
cat > production/hiera.yaml <<'YAML'
version: 4
hierarchy:
  - name: "%{nosuch}"
    backend: yaml
  - name: two
    backend: nosuch
YAML
ask 'version 4: a variable before a backend that is none'
cat > production/hiera.yaml <<'YAML'
:backends: yaml
:logger: [x]
YAML
ask 'version 3 in an environment, with another mistake'
echo ':backends: yaml' > production/hiera.yaml
ask 'version 3 in an environment'
rm production/hiera.yaml
cat > hiera.yaml <<'YAML'
version: 4
unknown: 1
YAML
ask 'version 4 in the global layer, with another mistake'
cat > hiera.yaml <<'YAML'
:backends: yaml
:yaml: {:datadir: 5}
YAML
ask 'version 3: a number as folder'
cat > hiera.yaml <<'YAML'
:backends: [yaml, json, yaml]
:hierarchy: "%{nosuch}"
YAML
ask 'version 3: a variable before a backend given twice'
cat > hiera.yaml <<YAML
:backends: yaml
:hierarchy: common
:yaml: {:datadir: $PWD/data}
YAML
mkdir data
cat > data/common.yaml <<'YAML'
lookup_options: {inner: {merge: {strategy: deep, sort_merge_arrays: true}}}
outer: "%{lookup('inner')}"
inner: {x: 1}
YAML
ask 'version 3: an option that is none' inner
ask 'version 3: the same within a look-up' outer
