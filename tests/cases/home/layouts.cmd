# case: oracle=no
# Typical layouts of repositories: found without a marker file, with modules in the Puppetfile's directory, with a command for the version
# of catalogs, and without the modules of the Puppetfile.
export HOME=$PWD
ask() {
  echo "## $*"
  bunraku "$@" --log-format text --basemodulepath "$HOME/base" 2>&1 | sed "s#$HOME#HERE#g" || true
}
echo "# no mark at all"
mkdir -p plain/manifests plain/modules/a/manifests plain/facts
echo 'include a' > plain/manifests/site.pp
echo 'class a { notify { "a": } }' > plain/modules/a/manifests/init.pp
echo '{}' > plain/facts/web01.json
cd plain/modules/a
bunraku catalog compile web01 | grep -c '"title": "a"'
cd "$HOME"
echo "# moduledir"
mkdir -p elsewhere/manifests elsewhere/thirdparty/b/manifests elsewhere/facts
printf "moduledir 'thirdparty'\nmod 'owner/b', '1.0.0'\nmod 'owner/c', '1.0.0'\n" > elsewhere/Puppetfile
echo 'class b { notify { "b": } }' > elsewhere/thirdparty/b/manifests/init.pp
echo 'include b' > elsewhere/manifests/site.pp
echo '{}' > elsewhere/facts/web01.json
cd elsewhere
bunraku catalog compile web01 | grep -c '"title": "b"'
echo "# modules that are not there"
ask catalog compile web01 -e 'include c::d'
ask catalog compile web01 -e 'd::e { "x": }'
ask catalog compile web01 -e 'include b::f'
echo 'include c' > manifests/site.pp
ask fleet compile | sed 's/ in [0-9.]* s,.*//; /^ok/d; /^failed/d'
cd "$HOME"
echo "# config_version"
mkdir -p versioned/manifests versioned/facts
echo 'config_version = ./version.sh $environmentpath $environment' > versioned/environment.conf
printf '#!/bin/sh\ncat "$1/$2/VERSION"\n' > versioned/version.sh
chmod +x versioned/version.sh
echo 'version four' > versioned/VERSION
echo 'notify { "v": }' > versioned/manifests/site.pp
echo '{}' > versioned/facts/web01.json
cd versioned
bunraku catalog compile web01 | grep '"version"'
echo "# a hiera.yaml for a host is no environment's"
mkdir -p docker
printf -- '---\n:backends: yaml\n:hierarchy:\n  - common\n' > docker/hiera.yaml
bunraku validate --log-format text --format one-line docker 2>&1
cp docker/hiera.yaml .
bunraku validate --log-format text --format one-line hiera.yaml 2>&1 || true
echo "# comparisons where there is no environment"
mkdir "$HOME/bare"
cd "$HOME/bare"
ask fleet diff a b
ask fleet impact data/common.yaml
cd "$HOME/versioned"
echo "# a fact that not all nodes have"
printf 'version: 5\nhierarchy:\n  - name: roles\n    path: "role/%%{::role}.yaml"\n' > hiera.yaml
ask lookup x --node web01
