# Single resources, buckets, and removing old files.
# case: timeout=120
mkdir -p conf code/environments/production site/old/deep
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
plain() { sed -e "s,$PWD,<here>,g" -e 's/in [0-9.]* seconds/in <time> seconds/' -e 's/20[0-9-]* [0-9:]*/<time>/' | grep -v '^Notice: Compiled\|^Notice: Applied\|ctime\|mtime' || true; }
echo '{}' > facts.json
w=$PWD/site
umask 022
echo hello > site/a
chmod 640 site/a
bunraku resource file "$w/a" $settings | plain
bunraku resource file "$w/b" ensure=file mode=0600 $settings | plain
bunraku resource file "$w/b" ensure=absent --to_yaml $settings | plain
bunraku resource nosuch x $settings 2>&1 | plain
bunraku resource file $settings 2>&1 | plain
bunraku filebucket --local backup site/a $settings
bunraku filebucket --local list $settings | plain
sum=$(sha256sum site/a | cut -d' ' -f1)
bunraku filebucket --local get "$sum" $settings
echo changed > site/a
bunraku filebucket --local restore site/a "$sum" $settings
cat site/a
stat -c '%a' site/a
bunraku filebucket --local diff "$sum" site/old/../a $settings
echo changed > site/c
bunraku filebucket -l diff site/c "$sum" $settings | sed 1,2d
rm site/c
bunraku filebucket --local get 00 $settings 2>&1 || echo "exit $?"
touch -d '3 days ago' site/old/x.log site/old/deep/y.log site/old/keep.txt
touch site/old/new.log
apply() { bunraku apply $settings --facts facts.json --certname n -e "$1" 2>&1 | plain; }
apply "tidy { '$w/old': age => '2d', matches => '*.log', recurse => true, type => mtime }"
find site -type f | sort
apply "tidy { '$w/old': size => '0b', recurse => true, rmdirs => true }"
find site | sort
apply "tidy { '$w/old': age => 'soon' }"
apply "tidy { '$w/a': matches => '*' }"
apply "resources { 'file': purge => true }"
apply "resources { 'nosuch': }"
echo '## moments and types'
bunraku filebucket list --local --todate 2000-01-01 --vardir var | wc -l
bunraku filebucket list -b var/clientbucket -f '2000-01-01 12:00' -t 2100-01-01 --vardir var | wc -l
bunraku filebucket list -l --fromdate yesterday --vardir var 2>&1 || echo "exit $?"
echo '## a server is meant otherwise'
for words in 'backup site/a' "get $sum" "restore site/c $sum" "diff $sum site/a" 'backup site/a --remote' list; do
  bunraku filebucket $words $settings --ssldir "$PWD/ssl" 2>&1 | plain
done
bunraku resource --types --modulepath none $settings | tr '\n' ' '
bunraku resource 2>&1 || echo "exit $?"
echo '## a file of records and a provider that are given'
bunraku resource host tst ip=192.0.2.7 "target=$w/hosts" $settings | plain
bunraku resource host tst ip=192.0.2.7 "target=$w/hosts" $settings | plain
bunraku resource service x ensure=running provider=base status=/bin/true $settings | plain
echo '## graphs'
bunraku apply $settings --graph --facts facts.json --certname n -e 'class a { notify { one: } -> notify { two: } } include a' | plain
ls var/state/graphs
grep -- '->' var/state/graphs/resources.dot
