# A global hiera.yaml of version 3. The answers were compared with the reference's.
mkdir -p production hieradata
cat > hiera.yaml <<YAML
:backends:
  - yaml
  - json
:hierarchy:
  - "%{role}"
  - "%{calling_module}"
  - common
:merge_behavior: deeper
:yaml:
  :datadir: $PWD/hieradata
:json:
  :datadir: $PWD/hieradata
YAML
cat > hieradata/common.yaml <<'YAML'
a: common
h: {x: {y: 1}, z: [1]}
l: [c]
i: "%{role} %{hiera('a')} %{empty}!"
YAML
cat > hieradata/web.yaml <<'YAML'
h: {x: {w: 2}, z: [2]}
l: [w]
YAML
echo '{"j": "json", "a": "json a"}' > hieradata/common.json
echo 'only: override' > hieradata/extra.yaml
echo '{"role": "web", "empty": ""}' > facts.json
ask() {
  echo "## $1"
  bunraku eval --environmentpath . --hiera_config hiera.yaml --facts facts.json --node n.example.com -e "$1" \
    --set disable_warnings=deprecations 2>&1 | sed '/is deprecated/d; /^   (file: /d; /not available/d'
}
ask "[hiera('a'), hiera('i'), hiera('j'), lookup('a')]"
ask "hiera_hash('h')"
ask "hiera_array('l')"
ask "hiera_array('a')"
ask "[hiera('only', 'none', 'extra'), hiera('a', 'none', ['extra', 'nosuch'])]"
ask "hiera('only')"
ask "lookup('h')"
ask "lookup('h', Any, 'deep')"
ask "hiera_hash('a')"
ask "hiera('h.x.y')"
ask "hiera_hash('h.x')"
sed -i 's/deeper/array/' hiera.yaml
ask "hiera('a')"
sed -i 's/array/native/; s/- json/- custom/; s/^:json:/:custom:/' hiera.yaml
ask "hiera('nosuch')"
ask "[hiera('a'), hiera('nosuch', 'none'), lookup('h')]"
bunraku lookup nosuch --explain --format text --environmentpath . --hiera_config hiera.yaml --facts facts.json --node n.example.com \
  --set disable_warnings=deprecations 2>&1 | sed "s,$PWD,<here>,g"
config() {
  echo "## $1"
  printf "$1" > hiera.yaml
  bunraku lookup a --format json --default none --environmentpath . --hiera_config hiera.yaml --facts facts.json --node n.example.com --codedir "$PWD" \
    --set disable_warnings=deprecations 2>&1 | sed "s,$PWD,<here>,g"
}
mkdir -p environments/production
ln -s "$PWD/hieradata" environments/production/hieradata
config 'backends: [yaml]\nhierarchy: common\n'
config ':backends:\n:hierarchy: [common]\n'
config ':hierarchy:\n'
config 'version: no\n:hierarchy: [[common]]\n'
config ':hierarchy: [common, common.yaml]\n:logger: noop\n'
config ':hierarchy: [common]\n:logger: 1\n'
config ':hierarchy: [common]\n:yaml:\n  :datadir: 1\n'
config ':hierarchy: [common]\n:yaml:\n  :datadir:\n'
config ':hierarchy: [common]\n:yaml:\n  :extension: json\n'
