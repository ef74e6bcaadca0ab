# A repository whose every directory has two links to itself ends in every command.
mkdir -p envs/production/modules/m
cd envs/production/modules/m
mkdir -p manifests/deep functions types templates files/tree lib/puppet/functions/m lib/facter data
cd ../..
mkdir -p manifests/below data/nodes
echo 'notify { "site": } include m' > manifests/site.pp
echo 'class m($key = 1) { notify { template("m/t.erb"): } file { "/tree": source => "puppet:///modules/m/tree", recurse => true } }' > modules/m/manifests/init.pp
echo 'function m::one() { 1 }' > modules/m/functions/one.pp
echo 'text' > modules/m/templates/t.erb
echo 'm::key: 2' > data/common.yaml
echo '{version: 5, hierarchy: [{name: all, glob: "**/*.yaml"}, {name: more, glob: "*/*/*/*.yaml"}]}' > hiera.yaml
printf 'modulepath = modules\n' > environment.conf
find . -depth -type d | while read -r directory; do
  ln -s . "$directory/one"
  ln -s . "$directory/two"
done
cd ../..
mkdir facts
echo '{"name": "n", "values": {}}' > facts/n.yaml
answer=$PWD/answer
ask() {
  echo "## $*"
  timeout 15 bunraku "$@" > "$answer" 2>&1 || { echo "exit $?"; head -n 6 "$answer"; }
}
ask catalog compile n --environmentpath envs --no-facts
ask catalog compile n --environmentpath envs --no-facts --static --code-id 1
ask catalog why n 'Notify[site]' --environmentpath envs --no-facts
ask fleet compile facts --environmentpath envs --cache cache
ask fleet compile facts --environmentpath envs --cache cache
ask fleet unused facts --environmentpath envs
ask fleet impact envs/production/data/common.yaml --cache cache --environmentpath envs
ask lookup m::key --node n --environmentpath envs --no-facts
ask eval -e '1' --environmentpath envs
ask module list --environmentpath envs
ask module doctor --environmentpath envs
ask validate envs/production
ask parser validate envs/production/manifests
ask generate types --environmentpath envs
cd envs/production
ask catalog compile n --no-facts
ask validate
ask test
