# Which files have metadata in a static catalog, by location: modules of the environment, other modules, and other mounts.
# case: timeout=120
mkdir -p conf envs/production/modules/m/files envs/production/modules/m/scripts envs/production/modules/m/tasks envs/production/modules/m/lib \
  envs/elsewhere/site/inside/files base/b/files share/sub other_envs per%cent
printf 'a\n' > envs/production/modules/m/files/a
printf 's\n' > envs/production/modules/m/scripts/s
printf 't\n' > envs/production/modules/m/tasks/t
printf 'l\n' > envs/production/modules/m/lib/l.rb
printf 'i\n' > envs/elsewhere/site/inside/files/i
printf 'b\n' > base/b/files/b
printf 'x\n' > share/x
printf 'y\n' > per%cent/x
printf "modulepath = site:$PWD/envs/production/modules\n" > envs/elsewhere/environment.conf
ln -s "$PWD/envs/production" envs/linked
compile() {
  echo "# $*" | sed "s,$PWD,<here>,g"
  bunraku catalog compile n --no-facts --confdir conf --environmentpath envs --basemodulepath base --static --code-id 1a2b "$@" > catalog.json 2> log || echo failed
  sed "s,$PWD,<here>,g" catalog.json log | grep '"content_uri"\|^Error\|^Warning\|^Notice\|"path": "<here>' || :
}
file() { source=$1; shift; compile -e "file { '/etc/a': source => '$source' }" "$@"; }
file puppet:///modules/m/a
file puppet:///modules/b/b
file puppet:///modules/m/a --environment elsewhere
file puppet:///modules/inside/i --environment elsewhere
file puppet:///modules/m/a --environment linked
file puppet:///modules/m/a --environment linked --set versioned_environment_dirs=true
file puppet:///modules/m/a --environmentpath "$PWD/envs:$PWD/other_envs"
for source in scripts/m/s scripts/m/nope scripts/m scripts tasks/m/t tasks/m/nope tasks plugins/l.rb plugins/nope plugins pluginfacts locales/x share/x; do
  file puppet:///$source
done
echo '## fileserver.conf'
mounts() {
  printf "$1" > conf/fileserver.conf
  sed "s,$PWD,<here>,g; s/^/| /" conf/fileserver.conf
  shift
  for source in "$@"; do file "puppet:///$source"; done
}
mounts "[share]\npath $PWD/share\nallow *\n" share/x share/sub share/nope share modules/m/a
mounts "# c\n\n [share] # y\n  path $PWD/share  # there\n  allow *.example.com\ndeny all\n" share/x
mounts "[share]\npath = $PWD/share\n" share/x modules/m/a
mounts "[share]\npath $PWD/nope\n" share/x
mounts "[share]\npath $PWD/nope\npath $PWD/share\n" share/x
mounts "[x]\npath $PWD/nope\n[share]\npath $PWD/share\n" share/x
mounts '[share]\n' share/x
mounts '[share]\nfoo bar\n' share/x
mounts '[share]\nfoo\n' share/x
mounts "path $PWD/share\n" share/x
mounts "[share]\npath $PWD/share\n[share]\npath /\n" share/x
mounts "[a b]\npath $PWD/share\n" share/x
mounts "[share]\npath $PWD/per%%%%cent\n" share/x
mounts "[share]\npath $PWD/share%%\n" share/x
mounts '[modules]\npath /tmp\n' modules/m/a
mounts '[modules]\nallow *\n[plugins]\n[locales]\n[tasks]\n[scripts]\n' modules/m/a
mounts '[pluginfacts]\n' modules/m/a
printf "[share]\npath $PWD/share\n" > elsewhere.conf
file puppet:///share/x --fileserverconfig elsewhere.conf
rm conf/fileserver.conf
mkdir conf/fileserver.conf
file puppet:///modules/m/a
