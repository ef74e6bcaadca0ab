# An environment with data that is missing, then malformed, then a directory, then unreadable.
mkdir -p production/data production/manifests
echo 'notify { lookup("key"): }' > production/manifests/site.pp
cat > production/hiera.yaml <<'END'
version: 5
hierarchy:
  - name: all
    path: common.yaml
    datadir: data
    data_hash: yaml_data
END
compile() {
  echo "$1:" >&2
  bunraku catalog compile n --no-facts --environmentpath . && echo "no error" || echo "exit $?"
}

compile 'no data'

printf 'key: [1, 2\nother: x\n' > production/data/common.yaml
compile 'malformed data'

rm production/data/common.yaml
mkdir production/data/common.yaml
compile 'a folder in place of data'

rmdir production/data/common.yaml
ln -s /proc/self/mem production/data/common.yaml
compile 'data that cannot be read'

rm production/data/common.yaml
printf 'version: 5\nhierarchy: [{name: x\n' > production/hiera.yaml
compile 'a malformed hiera.yaml'

printf 'version: 9\n' > production/hiera.yaml
compile 'a hiera.yaml of another time'
