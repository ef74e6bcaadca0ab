# What holds for an environment is what its settings show; values may be quoted.
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
  bunraku catalog compile n --environmentpath . --basemodulepath /nonexistent --hiera_config /nonexistent "$@" 2>&1 > catalog.json | sed "s,$PWD,<folder>,g"
}
compile
compile --environment quoted
grep '"version"' catalog.json
compile --manifest production/manifests/site.pp --modulepath other
