# A cached catalog is valid until the compilation would read something different.
mkdir environments && cp -r "$CASE/small" environments/production && cp -r "$CASE/facts" facts
cd environments/production
sed -i 's/size: 5/size: 3/' data/roles/db.yaml
run() { echo "# $1"; (cd ../..; bunraku fleet compile facts --environmentpath environments --cache cache | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//; /^$/d'); }
run 'first'
run 'nothing has changed'
echo '# a comment' >> hiera.yaml
run 'hiera.yaml: everybody'
echo 'site::web::port: 8088' > data/roles/web.yaml
run 'data of one role'
sed -i 's/unused: 1/unused: 2/' data/common.yaml
run 'a key that nobody reads'
sed -i 's/text: hello/text: welcome/' data/common.yaml
run 'a key that all read'
mkdir data/nodes && echo 'site::db::size: 2' > data/nodes/db1.example.com.yaml
run 'a file that was absent'
sed -i 's/make-volume/create-volume/' modules/site/manifests/volume.pp
run 'a define'
echo 'More.' >> modules/site/templates/motd.epp
run 'a template'
touch modules/site/manifests/*.pp
run 'touched, not changed'
sed -i 's/"memory": 2/"memory": 3/' ../../facts/web2.example.com.json
run 'a fact that the node does not read'
sed -i 's/"hostname": "web2"/"hostname": "www2"/' ../../facts/web2.example.com.json
run 'a fact that it reads'
sed -i 's/  memory: 2/  memory: 1/' ../../facts/db3.example.com.yaml
run 'a fact that it does not get to'
echo 'notify { "all": }' > manifests/zz.pp
run 'one more manifest'
sed -i 's/^  service/  notify { String(Timestamp.new): }\n  service/' modules/site/manifests/web.pp
run 'what cannot be tracked'
run 'still not'
cd ../..
cp -r cache other
bunraku fleet compile facts --environmentpath environments --cache cache --set strict=warning --summary | grep -c 'from the cache' || echo 'other settings'
bunraku fleet compile facts --environmentpath environments --output fresh --only 'db*' --summary > /dev/null
bunraku fleet compile facts --environmentpath environments --output kept --cache other --only 'db*' --summary | grep -o '3 from the cache'
diff -r fresh kept && echo same
printf 'bunraku fleet cache 1\nnonsense' > other/index
bunraku fleet compile facts --environmentpath environments --cache other --summary | grep -c 'from the cache' || echo 'damaged'
