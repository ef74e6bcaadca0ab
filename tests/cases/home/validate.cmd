# case: oracle=no
# A repository with a mistake of each kind, and one without.
TOP=$PWD
ask() {
  echo "## $*"
  status=0
  bunraku "$@" --log-format text --vardir "$TOP/var" --basemodulepath "$TOP/base" > "$TOP/answer" 2>&1 || status=$?
  sed "s#$TOP#TOP#g" "$TOP/answer"
  test "$status" = 0 || echo "exit $status"
}
mkdir -p repo/site/web/manifests repo/site/web/templates repo/data repo/modules repo/manifests repo/vendor repo/.git repo/src/puppet-db/manifests repo/spec/fixtures/modules/x/manifests
cd repo
echo 'modulepath = site:modules' > environment.conf
echo 'mod "puppetlabs-stdlib", "9.0.0"' > Puppetfile
echo 'include web' > manifests/site.pp
echo 'class web { }' > site/web/manifests/init.pp
echo '<%- | $x | -%><%= $x %>' > site/web/templates/a.epp
echo '<% if @a -%>a<% end %>' > site/web/templates/a.erb
echo 'a: 1' > data/common.yaml
echo '{"b": 2}' > data/common.json
echo '{version: 5, hierarchy: [{name: all, path: common.yaml}]}' > hiera.yaml
echo '{"name": "a-web", "version": "1.0.0", "author": "a", "license": "b", "summary": "c", "source": "d", "dependencies": []}' > site/web/metadata.json
echo 'class db { }' > src/puppet-db/manifests/init.pp
ln -s ../src/puppet-db modules/db
for left_out in vendor/x.pp .git/x.pp spec/fixtures/modules/x/manifests/init.pp; do echo '{' > $left_out; done
ask validate
ask validate site/web data/common.yaml
cd site/web
ask validate
cd ../..
echo "# mistakes"
echo 'class web { $x = }' > site/web/manifests/init.pp
echo 'class web::wrong { }' > site/web/manifests/right.pp
echo 'class database { }' > src/puppet-db/manifests/init.pp
echo 'a <%= $x' > site/web/templates/a.epp
printf 'line\n<%% if @a -%%>a\n' > site/web/templates/a.erb
printf 'a: 1\nb: [\n' > data/common.yaml
echo '[1]' > data/list.json
printf 'version: 5\nhierarchy:\n  - name: all\n    pathh: x\n' > hiera.yaml
printf '{"name": "web", "version": "1", "author": "a", "license": "b", "source": "d",\n"dependencies": [{"name": "a/b", "version_requirement": "soon"}, {"name": "a-b"}]}' > site/web/metadata.json
printf 'mod "puppetlabs-stdlib"\nmod "other/stdlib"\nmod "no name"\n' > Puppetfile
printf 'modulepth = site\n' > environment.conf
ask validate
ask validate --format github data
ask validate --format gitlab data/list.json
ask validate Puppetfile --ruby never
printf 'mod "a", (\n' > Puppetfile
ask validate Puppetfile
printf 'modulepath = site:modules\n' > environment.conf
ask validate src
ask validate --format one-line site/web/manifests
echo "# wrong usage"
ask validate nosuch
ask validate answer.txt --nosuch
printf '{"a": 1,}\n' > data/comma.json
ask validate --format one-line data/comma.json
touch notes.txt
ask validate notes.txt
mkdir -p "$TOP/empty"
ask validate "$TOP/empty"
printf '[ignore]\npaths = ["data/*", "*.erb", "hiera.yaml"]\n' > bunraku.toml
ask validate --format one-line data site/web/templates
printf 'x: &a\n  k: 1\ny:\n  <<: *a\n  k: 3\nz:\n  "k": 1\n  k: 2\n' > data/twice.yaml
ask validate data/twice.yaml
rm bunraku.toml; mkdir -p "$TOP/elsewhere/m"
echo '{"name": "a-m", "version": "1.0.0", "author": "a", "license": "x", "summary": "x", "source": "x", "dependencies": []}' > "$TOP/elsewhere/m/metadata.json"
printf 'version: 4\n' > "$TOP/elsewhere/m/hiera.yaml"
ask validate --format one-line "$TOP/elsewhere/m"
