# The classes of an earlier catalog, declared again.
# case: oracle=no timeout=60
cat > m.pp <<'PP'
class foo { notify { 'foo': } }
class bar($x = 'default') { notify { "bar $x": } }
class foo::baz { notify { 'baz': } }
node default { notify { 'node': } }
notify { 'main': }
PP
try() {
  echo "-- $*"
  bunraku apply --certname n --no-facts --vardir v --publicdir p "$@" 2>&1 | grep -v '^Notice: \(Compiled\|Applied\|/\)' || true
}
mkdir -p v/state
echo '{"classes": ["bar"]}' > enc.json
echo '# no file: what the classifier says counts'
try m.pp -L --enc enc.json
printf 'foo settings\n\tfoo::baz bar' > v/state/classes.txt
try m.pp
try m.pp -L
test ! -e v/state/resources.txt && echo 'apply writes no summary by itself'
echo '# in place of the classes of a classifier'
echo foo > other.txt
try m.pp --loadclasses --classfile "$PWD/other.txt" --enc enc.json
: > none.txt
try m.pp -L --classfile "$PWD/none.txt" --enc enc.json
echo '# what apply has written'
try -e 'class one { } class two { } include one, two' --write-catalog-summary
cat v/state/classes.txt
try -L -e 'class one { notify { "one": } } class two { notify { "two": } }'
echo '# a class that is gone, and a file of somebody else'
try -L m.pp
echo nosuch > other.txt
bunraku apply --certname n --no-facts --vardir v m.pp -L --classfile "$PWD/other.txt" 2>&1 || echo "exit $?"
# Root can read everything, so the program runs as the user nobody then.
chmod a+rwx .
chmod 0 other.txt
as=
if [ "$(id -u)" = 0 ]; then
  cp "$(command -v bunraku)" ./bunraku
  as='setpriv --reuid=65534 --regid=65534 --clear-groups'
fi
PATH=.:$PATH $as bunraku apply --certname n --no-facts --vardir w --publicdir p m.pp -L --classfile "$PWD/other.txt" 2>&1 || echo "exit $?"
