# An environment uses the settings that are shown for it; values may be quoted.
# case: timeout=120
mkdir -p production/manifests quoted/sites quoted/own/m/manifests
echo 'class m { notice("m") }' > quoted/own/m/manifests/init.pp
show='notice("${settings::manifest}|${settings::modulepath}|${settings::config_version}|${settings::all_local[manifest]}")'
echo "$show" > production/manifests/site.pp
echo "$show include m" > quoted/sites/site.pp
cat > quoted/environment.conf <<'CONF'
manifest = "sites"
modulepath = 'own'
config_version = "/bin/echo hi"
CONF
compile() {
  bunraku catalog compile n --no-facts --environmentpath . --basemodulepath /nonexistent --hiera_config /nonexistent "$@" 2>&1 > catalog.json | sed "s,$PWD,<folder>,g"
}
compile
compile --environment quoted
grep '"version"' catalog.json
compile --manifest production/manifests/site.pp --modulepath other
echo 'notice($settings::server_list, $settings::http_extra_headers, $settings::disable_warnings)' > quoted/sites/site.pp
compile --environment quoted --server_list 'a.example.com:8140, b.example.com' --http_extra_headers X-A:1,X-B:2 --disable_warnings deprecations

# Valid and invalid content of environment.conf.
with() {
  mkdir -p e/manifests
  printf "$@" > e/environment.conf
  echo 'notice("${settings::modulepath}|${settings::config_version}|${settings::environment_timeout}|${settings::static_catalogs}|${settings::rich_data}")' > e/manifests/site.pp
  printf '%s: ' "$1"
  compile --environment e
  rm -rf e
}
echo
with 'environment_timeout = 10m'
with 'environment_timeout = unlimited'
with 'environment_timeout = "-1"'
with 'environment_timeout = '
with 'static_catalogs = FALSE\nrich_data = false'
with 'static_catalogs = maybe'
with 'rich_data = '
with 'modulepath = $nosuch/a'
with 'modulepath = $environment/x'
with 'modulepath = a::b:'
with 'modulepath = $codedir/*'
with 'modulepath = modules { mode = 0644, owner = root }'
with 'modulepath = {modules,other}'
with 'modulepath = modules {mode = x}'
with 'modulepath = modules {tint = x}'
with 'modulepath = ${codedir}/x'
with 'modulepath = "a\nenvironment_timeout = 5'"'"''
with 'mäni = x\n'
with '[main]\nmodulepath = a\nmodulepath = b\n'
with '[a]\nx = y\n[b]\n[a]\n'
with '[a b]\n'
with '[a]\n garbage'
with 'modulepath = \377'
with 'config_version = /bin/echo $environment'
with 'config_version = /bin/false'
with 'config_version = /bin/echo x; exit 3'
with 'config_version = /bin/echo "a b"'
with 'config_version = missing'
with 'config_version = manifests'
with 'config_version = $nosuch'

# Environments may not have their own manifests then.
mkdir -p everywhere own/manifests same
echo 'notice("everywhere")' > everywhere/site.pp
echo 'manifest = manifests' > own/environment.conf
echo "manifest = $PWD/everywhere" > same/environment.conf
compile --environment own --default_manifest "$PWD/everywhere" --disable_per_environment_manifest
compile --environment same --default_manifest "$PWD/everywhere" --disable_per_environment_manifest
compile --environment own --disable_per_environment_manifest

# Certificate names.
compile --set certname=Upper.example.com
compile --certname lower.example.com
