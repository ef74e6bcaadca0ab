# Files: contents, types, permissions, copies, and a second run that changes nothing.
# case: timeout=240 differs=D620
mkdir -p conf code/environments/production/modules/demo/files/tree/sub site
echo module > code/environments/production/modules/demo/files/plain.txt
echo one > code/environments/production/modules/demo/files/tree/one
echo two > code/environments/production/modules/demo/files/tree/sub/two
umask 022
apply() {
  { bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --facts facts.json \
    --certname node.example.com --detailed-exitcodes "$@" 2>&1 || echo "exit $?"; } |
    sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' -e 's/[0-9]\{8\}-[0-9]*-[0-9a-z]*/<temporary>/g' \
      -e 's/^\(---\|+++\) \([^ \t]*\).*/\1 \2/' | grep -v '^Notice: Compiled\|^Notice: Applied' || true
}
tree() { (cd site; find . -mindepth 1 -printf '%P %y %m %l\n' | sort); }
twice() {
  title=$1
  shift
  echo "# $title"
  apply -e "$@"
  echo "again:"
  apply -e "$@"
  tree
  rm -rf site
  mkdir site
}
echo '{}' > facts.json
w=$PWD/site
twice 'contents' "file { '$w/a': content => \"hello\n\", mode => '0640' }"
echo old > site/a
twice 'changed contents' "file { '$w/a': content => \"new\n\", mode => '0600' }"
printf 'one\ntwo\n' > site/a
twice 'a difference' "file { '$w/a': content => \"one\nthree\n\" }" --show_diff
echo old > site/a
twice 'a sensitive one' "file { '$w/a': content => Sensitive(\"secret\n\") }" --show_diff
twice 'empty' "file { '$w/a': content => '' }"
twice 'directories' "file { '$w/a': ensure => directory, mode => '0644' } file { '$w/a/b': ensure => directory }"
twice 'links' "file { '$w/a': ensure => link, target => '/nowhere' } file { '$w/b': ensure => '/else' }"
mkdir -p site/a/b
twice 'a directory stays without force' "file { '$w/a': ensure => absent }"
mkdir -p site/a/b
twice 'and goes with it' "file { '$w/a': ensure => absent, force => true }"
touch site/a site/b
chmod 600 site/a site/b
twice 'modes' "file { '$w/a': mode => 'u+x,g=r' } file { '$w/b': mode => '644' }"
twice 'a source of a module' "file { '$w/a': source => 'puppet:///modules/demo/plain.txt' }"
twice 'a tree' "file { '$w/t': ensure => directory, recurse => true, source => 'puppet:///modules/demo/tree' }"
mkdir -p site/t/old
touch site/t/extra site/t/old/x
twice 'purging' "file { '$w/t': ensure => directory, recurse => true, purge => true, force => true, source => 'puppet:///modules/demo/tree' }"
echo old > site/a
twice 'a backup' "file { '$w/a': content => 'new', backup => '.old' }"
echo old > site/a
twice 'a backup in the bucket' "file { '$w/a': content => 'new', backup => 'puppet' }" --verbose | grep -v version
find var/clientbucket -type f | sed 's,.*/,,' | sort
twice 'a check that passes' "file { '$w/a': content => \"good\n\", validate_cmd => '/bin/grep -q good %' }"
twice 'a check that fails' "file { '$w/a': content => \"bad\n\", validate_cmd => '/bin/grep -q good %' }"
twice 'no parent' "file { '$w/a/b': ensure => file } file { '$w/c/d': content => 'x' } file { '$w/e/f': ensure => directory }"
twice 'no source' "file { '$w/a': source => ['/nope', 'puppet:///modules/demo/nope'] }"
twice 'what cannot be' "file { '$w/a': mode => '0999' }"
twice 'several creators' "file { '$w/a': content => 'x', source => '/y' }"
sum=$(printf other | sha256sum | cut -d' ' -f1)
twice 'contents decide, and no digest beside them' "file { '$w/a': ensure => file, content => 'z', checksum_value => '$sum' }"
twice 'a digest of other contents, and its kind' "file { '$w/a': content => 'z', checksum => sha256, checksum_value => '$sum' }"
printf other > site/a
twice 'contents that are as the digest says' "file { '$w/a': content => 'z', checksum => sha256, checksum_value => '$sum' }"
twice 'a check whose program is missing' "file { '$w/a': content => 'z', validate_cmd => '/no/such/program %' }"
mkdir linked; echo a > linked/a; ln -s nowhere linked/dangling
twice 'a followed link that leads nowhere' "file { '$w/followed': ensure => directory, recurse => true, links => follow, source => '$PWD/linked' }"
twice 'the same link as a link' "file { '$w/managed': ensure => directory, recurse => true, source => '$PWD/linked' }"
