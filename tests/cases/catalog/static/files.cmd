# The metadata of single files in a static catalog.
# case: timeout=120
mkdir -p envs/production/manifests envs/production/modules/m/files/folder envs/production/modules/m/scripts base/b/files
cd envs/production/modules/m
printf 'hello\n' > files/a
printf 'with a blank\n' > 'files/b c'
printf '#\n' > 'files/h#1'
printf '%600s' x > files/long
: > files/nothing
printf 'up\n' > files/..a
ln -s a files/link
ln -s folder files/folder_link
ln -s nowhere files/broken
mkfifo files/fifo
printf 'b\n' > ../../../../base/b/files/a
cd ../../../..
compile() {
  echo "# $*"
  bunraku catalog compile n --no-facts --environmentpath envs --basemodulepath base --static --code-id 1a2b "$@" > catalog.json 2> log || echo failed
  grep '"code_id"' catalog.json || :
  sed -n '/^  "metadata"/,$p' catalog.json | sed "s,$PWD,<here>,; s/\"{\(.time\)}[^\"]*/\"{\1}TIME/; s/\"\(owner\|group\)\": $(id -u)/\"\1\": ME/"
  sed "s,$PWD,<here>,g" log
}
file() { compile -e "file { '/etc/a': source => $1 }"; }
short() { file "$@" | grep -v '"\(owner\|group\|mode\|relative_path\|destination\)"\|code_id\|^[{} ]*$'; }
file "'puppet:///modules/m/a'"
file "'puppet:///modules/m/link'"
for source in a/ a// link nothing 'b c' 'b c?query' 'b%20c' 'h#1' ./a ..a folder fifo folder_link broken nope ../a; do
  short "'puppet:///modules/m/$source'"
done
for source in puppet:/modules/m/a puppet:modules/m/a puppet: puppet:/// puppet:////modules/m/a puppet:///modules//m/a \
  puppet:///modules/m//a puppet:///modules/m puppet:///modules puppet:///modules/M/a puppet:///modules/b/a puppet:///m/a \
  puppet://h/modules/m/a puppet://me@h:81/modules/m/a 'puppet://[::1]:81/modules/m/a' puppet://h:/modules/m/a 'puppet://a b/modules/m/a' \
  puppet://h:x/modules/m/a puppet://modules/m/a 'puppet:///mo dules/m/a' PUPPET:///modules/m/a /etc/passwd file:///etc/passwd ''; do
  short "'$source'"
done
short "['puppet:///modules/m/nope', 'puppet:///modules/m/a']"
short "['puppet:///modules/m/nope', 'puppet:///nope/a']"
short "['puppet:///modules/m/a', '/etc/passwd']"
short "[['puppet:///modules/m/nope', [undef, 'puppet:///modules/m/a']]]"
short "['puppet:///modules/m/a', 1]"
short undef
short "Sensitive('puppet:///modules/m/a')"
for more in 'absent' 'present' 'false'; do short "'puppet:///modules/m/nope', ensure => $more"; done
for type in sha256 sha256lite md5 md5lite sha1 sha1lite sha512 sha384 sha224 mtime none foo 1 false undef; do
  short "'puppet:///modules/m/long', checksum => $type"
done
for links in manage follow ignore foo '[follow]'; do short "'puppet:///modules/m/link', links => $links"; done
chmod 2640 envs/production/modules/m/files/a
for who in use use_when_creating ignore foo; do file "'puppet:///modules/m/a', source_permissions => $who" | grep 'mode\|Error'; done
short "'puppet:///modules/m/folder', links => follow, checksum => md5"
compile -e '@@file { "/exported": source => "puppet:///modules/m/a" } @file { "/virtual": source => "puppet:///modules/m/nope" }' | grep '": {\|Error'
compile -e 'File { source => "puppet:///modules/m/a" } define d { file { "/d/$title": } } file { ["/2/", "/1"]: } d { [a, b]: } @file { title: path => "/p" } File<| |>' | grep '": {\|Error'
echo '## types of checksums'
for types in md5 sha1lite,md5 mtime ''; do compile -e 'file { "/a": source => "puppet:///modules/m/a" }' --supported_checksum_types "$types" | grep 'value\|Error'; done
echo '## no static catalogs'
compile -e 'file { "/a": source => "puppet:///modules/m/nope" }' --set static_catalogs=false
echo 'static_catalogs = false' > envs/production/environment.conf
compile -e 'file { "/a": source => "puppet:///modules/m/nope" }'
echo 'static_catalogs = true' > envs/production/environment.conf
compile -e 'file { "/a": source => "puppet:///modules/m/nope" }' --set static_catalogs=false
echo '## code without files, files without a version'
bunraku catalog compile n --no-facts --environmentpath envs --code-id x -e 'file { "/a": source => "puppet:///modules/m/nope" }' | grep 'code_id\|metadata' || :
bunraku catalog compile n --no-facts --environmentpath envs -e '' | grep code_id
bunraku catalog compile n --no-facts --environmentpath envs --static -e '' 2>&1 || echo "exit code $?"
