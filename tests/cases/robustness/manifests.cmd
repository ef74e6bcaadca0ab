# Manifests that are missing, not files, unreadable, or not text.
compile() {
  echo "$1:" >&2
  bunraku catalog compile n "$2" && echo "no error" || echo "exit $?"
}

compile 'not there' nosuch.pp
compile 'a folder that is not there' nosuch
mkdir folder.pp
compile 'an empty folder' folder.pp | grep -c '"title"'
ln -s /proc/self/mem unreadable.pp
compile 'not to be read' unreadable.pp
printf 'notice("\377")' > binary.pp
compile 'not UTF-8' binary.pp
printf '\357\273\277notice(1)' > mark.pp
compile 'with a byte order mark' mark.pp
printf '' > empty.pp
compile 'empty' empty.pp | grep -c '"title"'
# More than the maximum size of a source file; nothing of it is read.
truncate -s 1100M huge.pp
bunraku parser validate huge.pp
rm huge.pp
