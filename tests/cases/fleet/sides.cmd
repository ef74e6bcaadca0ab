# case: oracle=no
# Each side of a comparison has its own modules, manifest and data, independently of how they are specified.
git init -q repository
cd repository
git config user.email a@example.com
git config user.name a
mkdir -p site/web/manifests facts ignored/lib/manifests
echo 'ignored' > .gitignore
echo 'class web { notify { "one": } }' > site/web/manifests/init.pp
mkdir manifests
echo 'include web' > manifests/site.pp
for node in a b c; do echo '{}' > facts/$node.json; done
touch environment.conf
echo 'mod "example-lib"' > Puppetfile
git add . && git commit -qm one
echo 'class web { notify { "two": } }' > site/web/manifests/init.pp
git commit -qam two
sum() {
  echo "## $*"
  status=0
  bunraku fleet diff "$@" 2> errors | tail -1 || true
  bunraku fleet diff "$@" > /dev/null 2>&1 || status=$?
  sed "s#$PWD#PWD#g" errors
  echo "exit $status"
}
echo 'class lib { }' > ignored/lib/manifests/init.pp
echo "# relative paths, absolute ones below the repository, and bunraku.toml"
sum HEAD~1 HEAD --modulepath site --modules ignored
sum HEAD~1 HEAD --modulepath "$PWD/site" --modules ignored
sum HEAD~1 HEAD --modulepath site --manifest manifests/site.pp --modules ignored
printf '[settings]\nmodulepath = ["site"]\n[ignore]\ndifferences = ["Notify[*]", "*::edges"]\n' > bunraku.toml
git add . && git commit -qm three
sum HEAD . --modules ignored
cd manifests
sum HEAD~1 HEAD --modulepath ../site --modules ../ignored
cd ..
echo "# modules that git ignores"
echo 'modulepath = site:ignored' > environment.conf
git mv bunraku.toml gone.toml && git commit -qam four
echo 'class web { include lib notify { "two": } }' > site/web/manifests/init.pp
git commit -qam five
sum HEAD~1 HEAD
sum HEAD~1 HEAD --modules ignored
sum HEAD~1 HEAD --bootstrap 'mkdir -p ignored/lib/manifests; echo "class lib { }" > ignored/lib/manifests/init.pp'
sum HEAD~1 HEAD --bootstrap 'echo no network; exit 3'
echo "# the same directory on both sides"
sum . .
ln -s . link
sum . link
rm link
echo "# hashes key by key"
echo 'class web { notify { "h": message => { "a" => 1, "b" => { "c" => [1], "d" => 2 }, "x.y" => 1 } } }' > site/web/manifests/init.pp
git commit -qam six
echo 'class web { notify { "h": message => { "a" => 1, "b" => { "c" => [2], "e" => 2 }, "x.y" => 2 } } }' > site/web/manifests/init.pp
differ() { bunraku fleet diff HEAD . --modules ignored "$@" 2> /dev/null || true; }
differ
differ --format markdown
differ --format github
differ --format gitlab | sed 's/"fingerprint": ".*"/"fingerprint": "..."/'
echo "# two names of one revision, and a name of none"
git tag one
sum HEAD one --modules ignored
sum HEAD nosuch --modules ignored
echo "# changes that differ by the name of the node alone, and by its short name"
for node in web01.example.com web02.example.com; do echo '{}' > facts/$node.json; done
echo 'class web { notify { $trusted["certname"]: message => "old ${trusted["certname"]}" } notify { $trusted["hostname"]: message => "old ${trusted["hostname"]}" } }' > site/web/manifests/init.pp
git commit -qam seven
sed -i 's/old /new /g' site/web/manifests/init.pp
differ --only 'web*'
differ --only 'web*' --format json | grep -A4 differs_by_name
differ --only 'web*' --format markdown | grep 'have their own'
echo "# short names of a few letters count when they have a digit"
for node in db1.example.com db2.example.com; do echo '{}' > facts/$node.json; done
sed -i 's/new /newer /g' site/web/manifests/init.pp
differ --only 'db*' | grep -c '^[~+-]'
rm facts/db?.example.com.json
git commit -qam names
echo "# no nodes"
mkdir none
sum HEAD~1 HEAD none
echo "# GitLab refuses an empty path: a failure that is of no file"
printf 'class web { fail("%s") }' no > site/web/manifests/init.pp
git commit -qam failing
echo 'node "z" { }' > manifests/site.pp
differ --format gitlab | grep '"path"'
echo "# and one that has a place"
printf 'include web\n' > manifests/site.pp
printf 'class web {\n  fail("no")\n}\n' > site/web/manifests/init.pp
git commit -qam placed
differ --format gitlab | grep -A3 '"path"'
differ --format github
differ --format json | grep -A6 '"failures"'
