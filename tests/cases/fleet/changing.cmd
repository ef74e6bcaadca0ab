# Files that change or disappear while nodes are compiled: nodes that need them fail or are not cached, others are not affected.
mkdir -p environments/production/manifests environments/production/modules/m/templates environments/production/data facts
for node in n1 n2 n3 n4 n5; do echo '{}' > facts/$node.json; done
echo there > environments/production/modules/m/templates/gone.epp
echo 'version: 5' > environments/production/hiera.yaml
echo 'k: 1' > environments/production/data/common.yaml
cat > environments/production/manifests/site.pp <<EOF
node n1 { notify { "\${lookup('k')}": } }
node n2 { notify { generate('/bin/sh', '-c', 'cd $PWD && echo "k: 2" > environments/production/data/common.yaml && rm environments/production/modules/m/templates/gone.epp facts/n4.json && echo "{" > facts/n5.json && echo done'): } }
node n3 { notify { epp('m/gone.epp'): } }
node default { }
EOF
echo 'node n6 { notify { "unharmed": } }' >> environments/production/manifests/site.pp
echo '{}' > facts/n6.json
run() { bunraku fleet compile facts --environmentpath environments --jobs 1 --cache cache --output out "$@" | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//'; }
run
ls out
echo '# again'
run --only n1 --only n6
