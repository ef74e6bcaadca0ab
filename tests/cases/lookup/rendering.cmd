# Values without a form in YAML are shown in the language's syntax.
# case: differs=D653
mkdir -p environments/production/data
cat > environments/production/hiera.yaml <<'YAML'
version: 5
hierarchy: [{name: a, path: a.yaml, datadir: data, data_hash: yaml_data}]
YAML
cat > environments/production/data/a.yaml <<'YAML'
lookup_options:
  secret: {convert_to: Sensitive}
  span: {convert_to: Timespan}
  version: {convert_to: SemVer}
  binary: {convert_to: Binary}
secret: hello
span: 5
version: 1.2.3
binary: 'YWI='
YAML
look_up() { bunraku lookup "$@" --node n --no-facts --environmentpath environments || echo "exit $?"; }
for key in secret span version binary; do look_up $key; done
look_up secret --render-as yaml
look_up secret --render-as s
look_up span --render-as json
