# Saved files are compiled at once, and only the nodes that they reach.
# case: timeout=60
mkdir environments && cp -r "$CASE/small" environments/production
bunraku fleet compile "$CASE/facts" --only 'web*' --only db1.example.com --environmentpath environments --cache cache --watch > out 2> err &
watcher=$!
wait_for() { for _ in $(seq 200); do [ "$(grep -c "$1" err)" -ge "$2" ] && return 0; sleep 0.1; done; echo "no $1"; }
wait_for Waiting 1
echo 'site::web::port: 8099' > environments/production/data/roles/web.yaml
wait_for Waiting 2
mkdir environments/production/data/nodes
wait_for Waiting 3
echo 'site::web::port: 80' > environments/production/data/nodes/web1.example.com.yaml
wait_for Waiting 4
kill -TERM $watcher
wait $watcher || echo "exit $?"
grep nodes out | sed 's/;.*//'
bunraku parser validate environments/production/manifests --watch > out 2> err &
watcher=$!
wait_for Waiting 1
echo 'class {' > environments/production/manifests/site.pp
wait_for Waiting 2
kill -TERM $watcher
wait $watcher || echo "exit $?"
grep -c 'Syntax error' err
