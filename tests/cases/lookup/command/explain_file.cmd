# The lookups of a compilation, explained in a file.
mkdir -p production/data production/modules/m/manifests
echo '{"version": 5, "hierarchy": [{"name": "all", "path": "all.yaml"}]}' > production/hiera.yaml
printf 'm::a: from data\nkey: "%%{facts.role} value"\n' > production/data/all.yaml
echo 'class m(String $a, String $b = "default") { }' > production/modules/m/manifests/init.pp
options='--environmentpath . --hiera_config /nonexistent'
echo '{"role": "web"}' > facts.json
bunraku catalog compile n $options --facts facts.json -e 'include m; notice(lookup("key"))' --explain-file all.txt > /dev/null
cat all.txt
echo 'of a compilation that fails:'
bunraku catalog compile n $options -e 'lookup("nosuch")' --explain-file failed.txt > /dev/null
cat failed.txt
echo 'as JSON:'
bunraku catalog compile n $options -e 'notice(lookup("m::a"))' --explain-file all.json > /dev/null
grep -c '"type"' all.json
