# $trusted['external'] comes from a program, or from a directory of them, each under its name.
# case: timeout=60
program() { printf '#!/bin/sh\n%s\n' "$2" > "$1"; chmod +x "$1"; }
mkdir -p folder/sub empty twice null_twice one_fails
program says 'echo "{\"about\": \"$*\", \"list\": [1, 2.5, null, true], \"big\": 123456789012345678901234567890}"'
program comment 'echo "{\"a\": 1 /* x */, \"a\": {\"b\": 2}}"'
program list 'echo "[1]"'
program null 'echo null'
program false 'echo false'
program fails 'echo out; exit 3'
program yaml 'echo "a: 1"'
program nothing ''
program nan 'echo "{\"a\": NaN}"'
echo 'echo "{\"run\": \"by a shell\"}"' > plain
chmod +x plain
echo '{}' > no_program
cp says folder/b.rb
cp list folder/c.tar.gz
cp null folder/d
cp says folder/.hidden
cp no_program folder/readme.txt
cp says twice/a.rb
cp says twice/a.sh
cp null null_twice/a.rb
cp list null_twice/a.sh
cp says one_fails/a
cp fails one_fails/b
compile() {
  printf '%s: ' "$*"
  bunraku catalog compile n.example.com -e "${code:-notice(\$trusted[external])}" --hiera_config /nonexistent --trusted_external_command "$@" 2>&1 > catalog.json || :
}
for path in says comment list null false fails yaml nothing nan plain "$PWD/says" empty empty/ twice null_twice one_fails says/ nosuch/; do
  compile "$path"
done
code='$trusted[external].keys.sort.each |$k| { notice($k, $trusted[external][$k]) }' compile folder
# After the classifier, before the manifests.
code='notice(' compile fails
compile fails --environment nosuch --environmentpath .
echo '--- for whom it is reported'
code='notice($trusted)'
compile says
echo '{"clientcert": "cert.x.y"}' > facts.json
compile says --facts facts.json
echo '{"parameters": {"clientcert": "host"}}' > enc.json
compile says --enc enc.json --facts facts.json
echo '{"clientcert": ""}' > facts.json
compile says --facts facts.json
echo '{"certname": "c", "external": "given"}' > trusted.json
compile fails --trusted trusted.json
echo '--- what cannot be started'
code=
compile nosuch
compile no_program
compile 'says x'
echo '--- look-ups'
printf -- '---\nversion: 5\nhierarchy:\n  - name: a\n    path: "%%{trusted.external.list.0}.yaml"\ndefaults: {datadir: ., data_hash: yaml_data}\n' > hiera.yaml
echo 'k: v' > 1.yaml
bunraku lookup k --format json --no-facts --node n --hiera_config hiera.yaml --trusted_external_command says 2>&1
bunraku lookup k --format json --no-facts --node n --hiera_config hiera.yaml --trusted_external_command fails 2>&1 || :
