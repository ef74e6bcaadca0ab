# Refusals by the system are errors with exit code 1, never a signal, a bug or a partial file.
# case: oracle=no timeout=300
mkdir -p production/manifests facts
echo 'Integer[1, 50].each |$i| { notify { "a${i}": } }' > production/manifests/site.pp
for node in a b c d; do echo '{}' > facts/$node.json; done
program=$(command -v bunraku)
compile="catalog compile a --environmentpath ."
fleet="fleet compile facts --environmentpath . --output out --cache cache"
# try LIMIT WORDS...
try() {
  limit=$1 status=0
  shift
  (ulimit $limit; exec "$@") > result 2> err || status=$?
  if grep -qi 'bug of this program' err; then echo "$limit: $*: $(cat err)"; fi
  case $status in 0 | 1) ;; *) echo "$limit: $*: exit $status: $(cat err)" ;; esac
  for file in out/*.json; do
    [ ! -e "$file" ] || tail -c 3 "$file" | grep -q '}' || echo "$limit: half of $file"
  done
  rm -rf out cache
}
# With less memory the program cannot be loaded. A sanitizer itself needs more, and a pipe when it checks an object.
sizes='120000 150000 200000 250000 300000 400000 600000 1000000'
files='4 5 6 8 12 20'
[ -z "${ASAN_OPTIONS-}" ] || sizes='' files='64'
for size in $sizes; do
  try "-v $size" "$program" $compile
  try "-v $size" "$program" $fleet --jobs 8
  try "-v $size" "$program" eval -e 'Integer[1, 300000].map |$x| { "text ${x}" }.length'
done
for count in $files; do
  try "-n $count" "$program" $compile
  try "-n $count" "$program" $fleet
  try "-n $count" "$program" eval -e 'generate("/bin/echo", "a")'
done
for size in 0 1 8; do
  try "-f $size" "$program" $fleet
  try "-f $size" "$program" eval -e 'generate("/bin/echo", "a")'
done
if [ "$(id -u)" = 0 ]; then
  cp "$program" ./bunraku && chmod a+rwx . ./bunraku
  for processes in 0 1 2 3; do
    try "-u $processes" setpriv --reuid=65534 --regid=65534 --clear-groups ./bunraku eval -e 'generate("/bin/echo", "a")'
    try "-u $processes" setpriv --reuid=65534 --regid=65534 --clear-groups ./bunraku $fleet --jobs 4
  done
fi
echo done
