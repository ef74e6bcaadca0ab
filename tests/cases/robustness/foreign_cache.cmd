# A cache that another user could have changed is not used, for each kind of ownership and permission.
# case: oracle=no
mkdir -p production/manifests facts
echo 'notify { "b": }' > production/manifests/site.pp
echo '{}' > facts/n.json
run() { bunraku fleet compile facts --environmentpath . --cache cache --output out --summary 2>&1 | sed -E 's/; [0-9]+ resources.*//'; }
attempt() { rm -rf cache; run > /dev/null; run > /dev/null; echo "## $1"; shift; "$@"; run; }
attempt 'its own' true
for part in cache cache/catalogs cache/index cache/catalogs/n.json; do
  attempt "the group can write $part" chmod g+w $part
  attempt "all can write $part" chmod o+w $part
  attempt "another user has $part" chown nobody $part
done
attempt 'an index by a link to another file' bash -c 'cp cache/index theirs; chown nobody theirs; ln -sf ../theirs cache/index'
echo '## a directory by a link'
rm -rf cache; mkdir -m 777 theirs.d; ln -s theirs.d cache; run
find theirs.d -type f -name '*.json'
