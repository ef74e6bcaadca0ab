# The rules that tie names to files apply to the modules of the environment, as in the reference.
modules=environments/production/modules
mkdir -p $modules/my/manifests/deep $modules/my/lib environments/production/manifests elsewhere
printf 'class other { }\nnotice(1)\n' > $modules/my/manifests/sub.pp
printf 'class my { }\n' > $modules/my/manifests/init.pp
printf 'class my::deep::er { }\n' > $modules/my/manifests/deep/er.pp
printf 'class my::x { }\n' > $modules/my/lib/x.pp
printf 'class site { }\nnotice(1)\n' > environments/production/manifests/site.pp
cp $modules/my/manifests/sub.pp elsewhere/sub.pp
show() {
  printf -- '--- %s\n' "$*"
  bunraku parser validate --format one-line "$@" 2>&1 || true
}
show --environmentpath environments environments elsewhere
show --modulepath $modules environments
show --environmentpath elsewhere environments
