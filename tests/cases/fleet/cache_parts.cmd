# A run on some of the nodes keeps the cached catalogs of the others: an outdated one is not considered fresh, no matter how long ago the
# file that it has read was changed.
mkdir environments && cp -r "$CASE/small" environments/production
run() { echo "# $1"; shift; bunraku fleet compile "$CASE/facts" --environmentpath environments --cache cache "$@" | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'; }
run 'web nodes' --only 'web*'
echo 'site::web::port: 8088' > environments/production/data/roles/web.yaml
sed -i 's/  service/  notify { "more": }\n  service/' environments/production/modules/site/manifests/web.pp
# Long enough for file times to be reliable.
sleep 2.1
run 'one of them, after a change' --only web1.example.com
run 'both' --only 'web*'
run 'both again' --only 'web*'
