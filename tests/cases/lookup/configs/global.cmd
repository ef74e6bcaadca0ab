# Mistakes in the global hiera.yaml.
mkdir -p production
echo '{"role": "web"}' > facts.json
ask() {
  echo "## $1"
  cat > hiera.yaml
  bunraku lookup "${2:-a}" --format json --environmentpath . --hiera_config hiera.yaml --facts facts.json --node n.example.com 2>&1 |
    sed "s,$PWD,<here>,g"
}
ask 'version 4' <<'YAML'
version: 4
YAML
ask 'the same backend twice' <<'YAML'
:backends: [yaml, json, yaml]
:hierarchy: common
YAML
ask 'the same backend on two lines' <<'YAML'
:backends:
  - yaml # and not yaml
  - json
  - yaml
:hierarchy: common
YAML
ask 'a default hierarchy' <<'YAML'
version: 5
hierarchy:
  - name: common
    path: common.yaml
default_hierarchy:
  - name: common
    path: other.yaml
YAML
ask 'a backend that has a function' <<'YAML'
version: 5
hierarchy:
  - name: common
    hiera3_backend: yaml
YAML
ask 'no hash' <<'YAML'
- 1
YAML
