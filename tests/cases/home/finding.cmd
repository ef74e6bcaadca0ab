# case: oracle=no differs=D530
# case: differs=D531
# The repository is found from any directory inside, by each of the files that mark one.
unset XDG_CONFIG_HOME
TOP=$PWD
ask() {
  echo "## $*"
  status=0
  bunraku "$@" --log-format text --basemodulepath "$TOP/base" --vendormoduledir "$TOP/base" > "$TOP/answer" 2>&1 || status=$?
  sed "s#$TOP#TOP#g; s#in the path: .*\. Does#in the path: PATHS. Does#; s#Ruby: .*#Ruby#" "$TOP/answer"
  test "$status" = 0 || echo "exit $status"
}
mkdir -p none control/site-modules/role/manifests control/site/profile/manifests control/modules control/manifests control/data/deep
echo 'class role { include profile }' > control/site-modules/role/manifests/init.pp
echo 'class profile($port) { notify { "port ${port} in ${environment}": } }' > control/site/profile/manifests/init.pp
echo 'node default { include role }' > control/manifests/site.pp
echo '{version: 5, hierarchy: [{name: all, path: all.yaml}]}' > control/hiera.yaml
echo 'profile::port: 8080' > control/data/all.yaml

cd none
ask module list
ask module doctor
ask lookup profile::port --no-facts
ask catalog compile web01 --no-facts
ask fleet unused .
ask fleet unused
ask fleet compile
ask catalog compile web01
ask catalog why web01 'Notify[a]'
ask validate

cd ../control
echo '# what marks it' > Puppetfile
cd data/deep
ask module list
ask lookup profile::port --node web01 --no-facts
resources() { bunraku catalog compile "$@" | grep '"title": "port'; }
resources web01 --no-facts
resources web01 --no-facts --environment staging
cd "$TOP"
echo "# by a directory"
resources web01 --no-facts --environment ./control
ask lookup profile::port --node web01 --no-facts --environment "$TOP/control"
ask module doctor ./control
ask lookup profile::port --node web01 --no-facts --environment ./nowhere
ask lookup profile::port --node web01 --no-facts --environment control

echo "# environment.conf says where modules are"
echo 'modulepath = site' > control/environment.conf
cd control
ask module list
ask parser validate site
echo "# the name of one of several environments"
mkdir "$TOP/environments"
mv "$TOP/control" "$TOP/environments/blue"
cd "$TOP/environments/blue/manifests"
rm ../environment.conf
resources web01 --no-facts

echo "# a module with another directory's name"
mkdir -p "$TOP/puppet-ntp/manifests" "$TOP/puppet-ntp/data" "$TOP/puppet-ntp/spec/fixtures/modules/stdlib/functions"
cd "$TOP/puppet-ntp"
echo '{"name": "example-ntp", "version": "1.0.0", "author": "a", "license": "l", "summary": "", "source": "", "dependencies": []}' > metadata.json
ln -s ../../.. spec/fixtures/modules/ntp
echo 'class ntp($servers) { notify { stdlib::joined($servers): } }' > manifests/init.pp
echo 'class ntp::misplaced { }' > manifests/server.pp
echo 'function stdlib::joined($a) { $a.join(" ") }' > spec/fixtures/modules/stdlib/functions/joined.pp
echo '{version: 5, hierarchy: [{name: all, path: all.yaml}]}' > hiera.yaml
echo 'ntp::servers: [a, b]' > data/all.yaml
cd manifests
ask lookup ntp::servers --no-facts --node n
bunraku catalog compile n --no-facts -e 'include ntp' | grep '"title": "a b"'
ask module list
ask parser validate .
cd "$TOP/none"
echo "# all is given by options"
echo 'notify { "port given": }' > "$TOP/given.pp"
resources n --no-facts --modulepath "$TOP/base" --hiera_config "$TOP/none/hiera.yaml" --manifest "$TOP/given.pp"
