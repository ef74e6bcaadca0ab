# The metadata of a directory's files in a static catalog.
# case: timeout=120
mkdir -p envs/production/modules/m/files/dir/sub/deep envs/production/modules/m/files/other envs/production/modules/m/files/loop \
  envs/production/modules/m/lib envs/production/modules/m/files/many
cd envs/production/modules/m/files
for name in x a.b éa .hidden sub/y sub/deep/z; do printf '%s\n' "$name" > "dir/$name"; done
ln -s x dir/link
ln -s dir dir_link
ln -s . loop/again
printf 'o\n' > other/o
printf 'a\n' > a
for i in $(seq 1001); do : > many/$i; done
cd ../../../../..
compile() {
  echo "# $*"
  bunraku catalog compile n --no-facts --environmentpath envs --static --code-id 1a2b "$@" > catalog.json 2> log || echo failed
  sed -n '/^  "\(recursive_\)\?metadata"/,$p' catalog.json | sed "s,$PWD,<here>,; s/\"{\(.time\)}[^\"]*/\"{\1}TIME/; s/\"\(owner\|group\)\": $(id -u)/\"\1\": ME/"
  sed "s,$PWD,<here>,g" log
}
file() { compile -e "file { '/etc/a': source => $1, recurse => true }"; }
short() { file "$@" | grep '^#\|Error\|Warning\|": \[\|relative_path'; }
file "'puppet:///modules/m/dir'"
for recurse in '"true"' remote '"remote"' false inf undef; do
  compile -e "file { '/etc/a': source => 'puppet:///modules/m/dir', recurse => $recurse }" | grep '^#\|metadata\|Error'
done
for more in 'recurselimit => 1' 'recurselimit => "1"' 'recurselimit => 0' 'recurselimit => -1' 'recurselimit => 1.5' 'recurselimit => inf' \
  'max_files => 1' 'max_files => "1"' 'max_files => 20' 'max_files => 0' 'max_files => -1' 'max_files => "-1"' 'max_files => [1]' \
  'ignore => "x"' 'ignore => "*"' 'ignore => ["s*", ".*"]' 'ignore => "?"' 'ignore => "[a-x]"' 'ignore => "[!a-x]"' 'ignore => "[a"' \
  'ignore => "{x,y}"' 'ignore => 1' 'ignore => []' 'ignore => "*.b*"' 'ignore => "é*"' \
  'links => follow' 'links => ignore' 'links => foo' 'checksum => foo' 'source_permissions => foo'; do
  short "'puppet:///modules/m/dir', $more"
done
for source in nope a dir_link other/ loop many ''; do short "'puppet:///modules/m/$source'"; done
short "'puppet:///modules/m/dir_link', links => follow"
short "'puppet:///modules/m/loop', links => follow"
short "'puppet:///modules/m/many', max_files => 2000" | tail -1
for source in puppet:///modules puppet:///plugins puppet:///nope; do short "'$source'"; done
both="['puppet:///modules/m/nope', 'puppet:///modules/m/other', 'puppet:///modules/m/dir/sub/', 'puppet:///modules/m/other/']"
for more in first all foo undef; do short "$both, sourceselect => $more"; done
short "['puppet:///modules/m/dir', 'puppet:///plugins'], sourceselect => all"
short "['puppet:///modules/m/other', 'puppet:///plugins']"
