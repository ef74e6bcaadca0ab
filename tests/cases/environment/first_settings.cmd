# Settings that are processed first, and an environment without a name.
# case: timeout=240

mkdir -p conf code/environments/production/manifests
folders="--confdir $PWD/conf --codedir $PWD/code --vardir $PWD/var"
with() {
  printf '# %s\n' "$*"
  printf "$1" > conf/puppet.conf
  shift
  bunraku config print runinterval $folders "$@" 2>&1 || true
}
with '[main]\nmanifest = /x\n'
with '[user]\nmodulepath = /x\nconfig_version = /y\n'
with '[server]\nstrict = bad\n'
with '[user]\nstrict = bad\n'
with '[main]\nstrict = bad\n'
with '[main]\nstrict = $nope\n'
with '[main]\nfiletimeout = bad\n'
with '[main]\ncertname = Bad\n'
with '[main]\nlog_level = bad\n'
with '[main]\nstoreconfigs = bad\n'
with '[main]\ndisable_per_environment_manifest = true\n'
with '[main]\ndisable_per_environment_manifest = true\ndefault_manifest = $nope\n'
with '[main]\nnode_name_fact = x\nnode_name_value = y\n'
with '[main]\nruninterval = bad\n'
with '' --certname Bad
with '' --node_name_fact x --node_name_value y
with '' --supported_checksum_types bad
with '' --disable_warnings bad
with '' --disable_per_environment_manifest
with '' --http_proxy_password a@b
with '' --factpath '$nope'

printf '# a wrong trace\n[main]\ntrace = bad\n' | tee conf/puppet.conf
bunraku config print strict $folders 2>&1 || true

# Commands about the environment use it from [user], lookups from [server].
mkdir -p code/environments/other/manifests code/environments/other/data code/environments/manifests code/environments/modules/m
echo 'notice("other")' > code/environments/other/manifests/site.pp
echo 'x: of other' > code/environments/other/data/common.yaml
printf 'version: 5\nhierarchy: [{name: c, path: common.yaml}]\n' | tee code/environments/other/hiera.yaml > code/environments/hiera.yaml
ask() {
  bunraku catalog compile n --no-facts $folders "$@" 2>&1 | { grep -E "Notice|Error" || true; } | sed "s,$PWD,<here>,g"
  bunraku epp render -e '<%= $environment %>|' $folders "$@" 2>&1 | sed "s,$PWD,<here>,g"
  bunraku lookup x --no-facts --default none $folders "$@" --format text || true
}
for section in server user agent main; do
  printf '# %s\n' $section
  printf '[%s]\nenvironment = other\n' $section > conf/puppet.conf
  ask
done

# The directory of environments when the name is empty.
: > conf/puppet.conf
mkdir -p code/environments/data
echo 'x: of the folder' > code/environments/data/common.yaml
echo 'notice("<${environment}> ${settings::manifest}")' > code/environments/manifests/site.pp
ask --environment ''
bunraku config print manifest --environment '' $folders | sed "s,$PWD,<here>,g"
echo 'class {' > code/environments/manifests/site.pp
ask --environment ''
printf '[main]\nenvironment =\n' > conf/puppet.conf
ask
