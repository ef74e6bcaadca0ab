# Saved files are compiled immediately, and only the nodes that they affect.
mkdir environments && cp -r "$CASE/small" environments/production
touch fleet validate
wait_for() { for _ in $(seq 500); do [ "$(grep -c "$1" "$2")" -ge "$3" ] && return 0; sleep 0.1; done; echo "no $1"; }
# Renamed into place, so that there is one change even on a busy machine.
save() { cat > saved && mv saved "$1"; }
bunraku fleet compile "$CASE/facts" --only 'web*' --only db1.example.com --environmentpath environments --cache cache --watch > out 2> fleet &
watcher=$!
wait_for Waiting fleet 1
echo 'site::web::port: 8099' | save environments/production/data/roles/web.yaml
wait_for Waiting fleet 2
mkdir environments/production/data/nodes
wait_for Waiting fleet 3
echo 'site::web::port: 80' | save environments/production/data/nodes/web1.example.com.yaml
wait_for Waiting fleet 4
kill -TERM $watcher
wait $watcher || echo "exit $?"
grep nodes out | sed 's/;.*//'
bunraku parser validate environments/production/manifests --watch > out 2> validate &
watcher=$!
wait_for Waiting validate 1
echo 'class {' | save environments/production/manifests/site.pp
wait_for Waiting validate 2
kill -TERM $watcher
wait $watcher || echo "exit $?"
grep -c 'Syntax error' validate
