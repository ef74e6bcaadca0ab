# The effect of environment.conf and of related settings on an environment.
# case: timeout=240
show='notice("${settings::manifest}|${settings::modulepath}|${settings::config_version}|${settings::environment_timeout}|${settings::static_catalogs}|${settings::rich_data}|${settings::environment_data_provider}")'
mkdir -p base/b1/manifests base2/b2/manifests rel/r1/manifests absent
echo 'class b1 { notice("b1 of base") }' > base/b1/manifests/init.pp
echo 'class b2 { notice("b2") }' > base2/b2/manifests/init.pp
compile() {
  bunraku catalog compile n --no-facts --environmentpath . --basemodulepath base:base2 --hiera_config /nonexistent --environment e "$@" 2>&1 > catalog.json | sed "s,$PWD,<here>,g"
}
with() {
  rm -rf e
  mkdir -p e/manifests e/modules/m/manifests e/sub/r1/manifests e/mods1/g1/manifests e/mods2/g2/manifests e/other
  printf '# %s\n' "$1"
  printf "$1" > e/environment.conf
  echo "$show" > e/manifests/site.pp
  echo "$show notice('other')" > e/other/one.pp
  echo "notice('other two')" > e/other/two.pp
  for m in modules/m sub/r1 mods1/g1 mods2/g2; do echo "class ${m#*/} { notice('$m') }" > e/$m/manifests/init.pp; done
  shift
  echo "## $*"
  compile "$@"
}
with ''
with '# nothing\n'
with 'environment_timeout = 0'
with 'environment_timeout = 5s'
with 'environment_timeout = 3m'
with 'environment_timeout = 2h'
with 'environment_timeout = 1d'
with 'environment_timeout = 1y'
with 'environment_timeout = 2w'
with 'environment_timeout = 5 m'
with 'environment_timeout = -5'
with 'environment_timeout = 1.5h'
with 'environment_timeout = Unlimited'
with 'environment_timeout = abc'
with 'environment_timeout = 99999999999999999999'
with '' --environment_timeout 5m
with 'environment_timeout = 7' --environment_timeout 5m
with 'manifest = other'
with 'manifest = other/one.pp'
with 'manifest = missing'
with 'manifest = missing.pp'
with 'manifest = '
with 'manifest = ./other/../manifests'
with 'manifest = no_manifest'
with 'manifest = $codedir'
with 'manifest = ~/x'
with 'manifest = manifests\nmanifest = other'
with 'manifest other'
with 'manifest: other'
with 'manifest=other'
with '  manifest   =   other   '
with 'manifest = other # comment'
with 'manifest = "other" '
with 'MANIFEST = other'
with 'modulepath = mods*' 
with 'modulepath = mods?:modules' 
with 'modulepath = mods[12]' 
with 'modulepath = mods{2,1}:$basemodulepath' 
with 'modulepath = $basemodulepath:mods1' 
with 'modulepath = ${basemodulepath}:mods1' 
with 'modulepath = ' 
with 'modulepath = nosuch:mods1:mods1' 
with 'modulepath = mods1 : mods2' 
with 'modulepath = ../base2' 
with 'modulepath = mods1' --modulepath base2
with 'unknown = 1\nsecond = 2\nmanifest = other'
with '[main]\nmanifest = other'
with '[x]\nmanifest = other'
with '[x]\nmanifest = other\n[y]\nz = 1'
with 'manifest = other\n[main]\nmodulepath = mods1'
with 'manifest = other\r\nmodulepath = mods1\r\n'
with '\357\273\277manifest = other'
with 'garbage'
with '[unclosed'
with 'static_catalogs = true\nrich_data = true'
with 'rich_data = False'
with 'environment_data_provider = nosuch'
with '' --default_manifest other
with '' --default_manifest other/one.pp
with '' --default_manifest "$PWD/e/other"
with '' --default_manifest nosuch
with '' --default_manifest ''
with 'manifest = manifests' --default_manifest "$PWD/e/other"
with 'manifest = manifests' --default_manifest "$PWD/e/other" --disable_per_environment_manifest
with '' --default_manifest "$PWD/e/other" --disable_per_environment_manifest
with 'manifest = $codedir' --default_manifest "$PWD/e/other" --disable_per_environment_manifest
with 'manifest = other' --default_manifest "$PWD/e/other" --disable_per_environment_manifest
with 'manifest = ' --default_manifest "$PWD/e/other" --disable_per_environment_manifest
with '' --default_manifest "other" --disable_per_environment_manifest
with '' -e 'include b1, b2, m'
with 'modulepath = mods1:base' -e 'include b1, g1'
with 'modulepath = mods1' -e 'include b2'
