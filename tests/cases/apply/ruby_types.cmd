# Types and providers of a module that are written in Ruby.
# case: timeout=240 oracle=no
mkdir -p conf code/environments/production shelves notes
echo '{"kernel": "Linux"}' > facts.json
export KIT_ENTRIES="$PWD/entries" KIT_SHELVES="$PWD/shelves"
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub --modulepath $CASE/ruby_types/modules"
clean() { sed -e "s,$PWD,<here>,g" -e 's/\(in\|after\) [0-9.]* seconds/\1 <time> seconds/' | grep -v '^Notice: Compiled\|^Notice: Applied' || true; }
apply() {
  echo "# $1"
  shift
  bunraku apply $settings --facts facts.json --certname node.example.com --detailed-exitcodes "$@" > output 2>&1 && code=0 || code=$?
  echo "exit $code" >> output
  clean < output
}
first="kit_note { '$PWD/notes/a': size => big, text => ' hello ' } kit_note { '$PWD/notes/b': text => 'with words', colour => red, size => '5cm' }"
apply 'created' -e "$first"
head notes/*
apply 'nothing to do' -e "$first"
apply 'changed' -e "kit_note { '$PWD/notes/a': size => small, text => 'other', words => ['x', 'y'] } kit_note { '$PWD/notes/b': words => ['two', 'one'], colour => blue }"
apply 'noop' --noop -e "kit_note { '$PWD/notes/a': size => large } kit_note { '$PWD/notes/c': }"
apply 'removed' -e "kit_note { '$PWD/notes/b': ensure => absent }"
apply 'secrets' -e "kit_note { '$PWD/notes/a': text => Sensitive('secret'), mood => Sensitive('good') }"
apply 'refreshed' -e "notify { 'n': } ~> kit_note { '$PWD/notes/a': stamp => true }"
cat notes/a
echo '## values that are refused'
apply 'a name' -e "kit_note { 'a': }"
apply 'a word' -e "kit_note { '/a': size => huge }"
apply 'the whole' -e "kit_note { '/a': mood => bad, text => 'x' }"
apply 'an attribute' -e "kit_note { '/a': nothing => 1 }"
apply 'a boolean' -e "kit_note { '/a': stamp => perhaps }"
apply 'a provider' -e "kit_note { '/a': provider => none }"
echo '## failures'
apply 'of create' -e "kit_note { '$PWD/notes/d': size => large, text => large }"
apply 'of a command' -e "kit_note { '$PWD/notes/a': text => 'trouble' } notify { 'later': require => Kit_note['$PWD/notes/a'] }"
apply 'of a command that is missing' -e "kit_note { '$PWD/notes/a': text => 'nothing' }"
apply 'of a program that cannot be run' -e "kit_note { '$PWD/notes/a': text => 'no program' }"
apply 'of any class' -e "kit_note { '$PWD/notes/a': text => 'plain error' }"
apply 'of a misspelt name' -e "kit_note { '$PWD/notes/a': text => 'misspelt' }"
apply 'of the process' -e "kit_note { '$PWD/notes/a': text => 'end' } notify { 'still here': } kit_note { '$PWD/notes/e': text => 'after it' }"
apply 'of a provider that is not suitable' -e "kit_note { '$PWD/notes/a': provider => fancy, folds => 3 } kit_note { '$PWD/notes/e': folds => 3 }"
echo '## providers of packages'
apply 'installed' -e "package { 'a': provider => 'kit_shop', install_options => ['-x', { '--y' => 'z' }] } package { 'b': ensure => '1.5', provider => 'kit_table' } package { 'b too': name => 'b', mark => hold, provider => 'kit_stall' }"
head shelves/packages/*
apply 'other versions' -e "package { 'a': ensure => latest, provider => 'kit_shop' } package { 'b': ensure => '1.*', provider => 'kit_table' }"
apply 'noop' --noop -e "package { 'a': ensure => purged, provider => 'kit_shop' } package { 'c': provider => 'kit_shop' }"
apply 'refused and failed' -e "package { 'rare': provider => 'kit_shop' } package { 'c': provider => 'kit_closed' } package { 'd': provider => 'kit_gem' }"
apply 'one too many' -e "package { 'a': provider => 'kit_shop' } package { 'a too': name => 'a', provider => 'kit_shop' }"
bunraku resource $settings package a provider=kit_shop 2>&1 | clean
bunraku resource $settings package a provider=kit_shop ensure=absent 2>&1 | clean
rm -r shelves/packages
echo '## a request to stop'
apply 'of a provider' -e "kit_note { '$PWD/notes/g': text => 'stop' } -> notify { 'skipped': }"
cat notes/g.end; rm notes/g*
echo '## the end of a run'
for end in well badly; do
  KIT_END=$end apply "of a provider that ends $end" -e "kit_note { '$PWD/notes/e': folds => 3 } -> kit_note { '$PWD/notes/a': ensure => present } -> notify { 'before it': } selmodule { 'x': }"
done
echo '## files of records'
printf '# some\nold 1\nkept x y\n' > entries
apply 'entries' -e "kit_entry { 'old': value => '2' } kit_entry { 'new': value => '3', comment => 'why', ensure => present } kit_entry { 'kept': ensure => absent }"
cat entries
apply 'entries again' -e "kit_entry { 'old': value => '2' } kit_entry { 'new': value => '3', comment => 'why', ensure => present } kit_entry { 'kept': ensure => absent }"
apply 'an entry without its value' -e "kit_entry { 'empty': ensure => present }"
cat entries
echo '## generated'
apply 'a file' -e "kit_set { '$PWD/set': mode => '0600' } kit_note { '$PWD/notes/f': size => small }"
cat set
apply 'the file again' -e "kit_set { '$PWD/set': mode => '0600' } kit_note { '$PWD/notes/f': size => small }"
apply 'secrets in the file' --show_diff -e "kit_set { '$PWD/set': mode => '0600', secret => true } kit_note { '$PWD/notes/f': size => large }"
cat set
export KIT_LATE="$PWD/late"
apply 'a fact that is found later' -e "file { '$PWD/late': content => 'late' } -> kit_set { '$PWD/set2': fact => 'kit_late' }" 2>&1 | grep -v checksum
cat set2
apply 'a fact that makes a package' -e "kit_set { '$PWD/set5': fact => 'kit_default' }" 2>&1 | grep -v checksum
cat set5
apply 'what the host has' -e "kit_set { '$PWD/set3': entry => 'new' } kit_set { '$PWD/set4': entry => 'none' }" 2>&1 | grep -v content
cat set3 set4 | clean
echo
printf '# HEADER: made\na' > headed
apply 'texts of files' -e "kit_text { '$PWD/headed': text => 'b' } kit_text { '$PWD/not_there': text => '' }"
echo '## types by schema'
apply 'shelves' -e "kit_shelf { 'a': label => 'x', hint => 'h' } kit_shelf { 'b': books => ['q', 'r'], open => false }" | sed 's/in <time> seconds/in <time>/'
head shelves/*
apply 'shelves again' -e "kit_shelf { 'a': label => 'x', hint => 'h' } kit_shelf { 'b': books => ['q', 'r'], open => false }"
apply 'shelves changed' -e "kit_shelf { 'a': label => 'y', size => 4, open => false } kit_shelf { 'b': ensure => absent }"
apply 'a colour' -e "kit_shelf { 'a': colour => 'green' }"
apply 'a failure' -e "kit_shelf { 'a': label => 'forbidden' }"
apply 'noop of shelves' --noop -e "kit_shelf { 'a': label => 'z', books => ['n'] } kit_shelf { 'c': }"
apply 'a wrong value' -e "kit_shelf { 'a': size => 11 }"
apply 'a wrong type' -e "kit_shelf { 'a': books => 'one' }"
for strict in error warning off; do
  apply "a schema with mistakes, strict is $strict" --strict "$strict" -e "kit_crate { 'a': size => 1 } kit_crate { 'b': label => 'x' }"
done
apply 'racks' -e "kit_rack { 'a': colour => 'red', level => 5 } kit_rack { 'b': level => '6' } kit_rack { 'c': level => 9 }" | sed 's/in <time> seconds/in <time>/'
apply 'racks again' -e "kit_rack { 'a': colour => 'red', level => 5 } kit_rack { 'b': level => '6' }"
apply 'other racks are removed' -e "kit_rack { 'a': level => 5, purge => true }"
apply 'read only' -e "kit_shelf { 'a': weight => 1 }"
echo '## as code'
bunraku resource $settings kit_shelf 2>&1 | clean
bunraku resource $settings kit_shelf a 2>&1 | clean
bunraku resource $settings kit_note "$PWD/notes/a" size=small 2>&1 | clean
bunraku resource $settings kit_set 2>&1 | clean
bunraku resource $settings notify 2>&1 | clean
bunraku resource $settings --param comment kit_entry 2>&1 | clean
apply 'without Ruby' --ruby never -e "kit_note { '$PWD/notes/a': size => large }"
bunraku resource $settings package --ruby never 2>&1 > packages | clean
grep -c provider packages > /dev/null && echo 'other packages are listed'
