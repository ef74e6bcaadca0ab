# Names from outside do not lead out of a directory.
# case: oracle=no
mkdir -p environments/production/manifests a/b/c
echo 'notify { "a": }' > environments/production/manifests/site.pp
cat > all.json <<'JSON'
[{"certname": "../../../x", "facts": {}}, {"certname": "..", "facts": {}}, {"certname": "a/b", "facts": {}},
 {"certname": "good.example.com", "facts": {}}, {"certname": "/tmp/absolute-x", "facts": {}}]
JSON
bunraku fleet compile all.json --environmentpath environments --cache a/b/c/cache --output a/b/c/output | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//'
find . -name '*.json' | sort
ls /tmp/absolute-x* 2> /dev/null || echo 'nothing else'
bunraku catalog compile n --no-facts --environmentpath environments --environment ../environments/production || echo "exit $?"
