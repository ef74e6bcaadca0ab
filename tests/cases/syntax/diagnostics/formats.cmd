# case: differs=D654
# parser validate: files, directories, standard input and code, and each form of its result.
mkdir -p some/folder some/.hidden
printf 'class a { attr }\n' > some/folder/a.pp
printf '$x = "\\q"\nnotice(1' > some/b.pp
printf 'oops(' > some/.hidden/c.pp
printf 'oops(' > some/d.txt
show() {
  printf -- '--- %s\n' "$*"
  code=0
  "$@" 2>&1 || code=$?
  printf 'exit code %s\n' $code
}
for format in text one-line github sarif json; do
  show bunraku parser validate --format $format some
done
printf 'notice(1)\n' | show bunraku parser validate
printf 'notice(1)\n' | show bunraku parser validate --format json -
show bunraku parser validate --format sarif -e 'notice(1)'
show bunraku parser validate some/none.pp some/b.pp
printf '<%%= $a\n' > some/folder/t.epp
show bunraku epp validate some
