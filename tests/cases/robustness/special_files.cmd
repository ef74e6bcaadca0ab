# Pipes and devices in place of files are immediate errors; nothing waits, and nothing is read endlessly.
# case: oracle=no
mkdir -p production/manifests production/data production/modules/m/manifests keys
echo 'notify { lookup("key"): }' > production/manifests/site.pp
echo 'key: text' > production/data/common.yaml
hiera() { printf 'version: 5\nhierarchy:\n  - name: all\n    path: common.yaml\n%s\n' "$1" > production/hiera.yaml; }
hiera '    data_hash: yaml_data'
mkfifo pipe
ask() {
  echo "# $1" >&2
  shift
  timeout 10 "$@" > /dev/null || echo "exit $?" >&2
}
compile="bunraku catalog compile n --no-facts --environmentpath ."
for special in pipe /dev/zero /dev/tty; do
  ask "facts: $special" $compile --facts $special
  ln -sf "$(realpath -s $special)" link
  ask "facts through a link: $special" $compile --facts link
  ask "data" $compile --trusted $special
done
ask 'manifest' $compile --manifest "$PWD/pipe"
ask 'validation' bunraku parser validate pipe
mv production/data/common.yaml kept && mkfifo production/data/common.yaml
ask 'Hiera data' $compile
rm production/data/common.yaml && mv kept production/data/common.yaml
mv production/hiera.yaml kept && mkfifo production/hiera.yaml
ask 'hiera.yaml' $compile
rm production/hiera.yaml && mv kept production/hiera.yaml
mkfifo production/modules/m/metadata.json
ask 'metadata.json' $compile -e 'include m'
rm production/modules/m/metadata.json
mkfifo production/modules/m/manifests/init.pp
ask 'a class' $compile -e 'include m'
rm production/modules/m/manifests/init.pp
mkfifo keys/private.pem
hiera '    lookup_key: eyaml_lookup_key
    options:
      pkcs7_private_key: keys/private.pem
      pkcs7_public_key: keys/private.pem'
echo 'key: ENC[PKCS7,MIIB]' > production/data/common.yaml
sed -i "s|keys/|$PWD/keys/|" production/hiera.yaml
ask 'a key of eyaml' $compile
echo 'key: text' > production/data/common.yaml
hiera '    data_hash: yaml_data'
mkdir facts && mkfifo facts/n.json
ask 'facts of a fleet' bunraku fleet compile facts --environmentpath . --summary
rm facts/n.json && echo '{}' > facts/n.json
mkdir cache && mkfifo cache/index
ask 'the index of a cache' bunraku fleet compile facts --environmentpath . --summary --cache cache
# The null device is an empty file, as everywhere.
ask 'the null device' bunraku parser validate /dev/null
