# A change seen on all nodes: between revisions of a repository, and between directories.
git init -q repository
cp -r "$CASE/small/." repository
cd repository
git config user.email a@example.com
git config user.name a
git add . && git commit -qm one
sed -i 's/Be kind/Be very kind/' modules/site/templates/motd.epp
git commit -qam two
differ() { bunraku fleet diff "$@" "$CASE/facts" --only '*1*' --only web2.example.com && echo "exit 0" || echo "exit $?"; }
differ HEAD~1 HEAD
differ HEAD HEAD
echo 'site::web::port: 8081' > data/roles/web.yaml
differ HEAD . --format json
sed -i 's/^  service.*/&\n  exec { "\/a": before => Exec["\/b"] }\n  exec { "\/b": before => Exec["\/a"] }/' modules/site/manifests/web.pp
differ HEAD .
echo 'class site::db { nonsense() }' > modules/site/manifests/db.pp
differ HEAD .
differ HEAD~7 HEAD 2>&1 | sed 's/:.*//'
