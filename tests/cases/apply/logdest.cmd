# The destinations of log records with --logdest.
# case: differs=D700 oracle=no
plain() { sed -E 's/[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9:]{8} ?[-+][0-9:]{4,5}/TIME/; s/in [0-9.]+ seconds/in N seconds/' "$@"; }
try() { bunraku apply --certname n --no-facts --vardir v "$@" 2>&1 || echo "exit $?"; }
for destination in "$PWD/lines.log" "$PWD/array.json" "$PWD/objects.jsonl" "$PWD/more/other.log,console" "relative.log"; do
  echo "-- $destination"
  try --logdest "$destination" -e 'notify { "x": } notice("two
lines")' | plain
done
try -l "$PWD/array.json" -l "$PWD/failed.log" -e 'fail("no")'
echo "-- what cannot be opened"
mkdir directory
try --logdest "$PWD/directory" -e 'notify { "x": }'
try --logdest syslog --set syslogfacility=nonsense -e 'notify { "x": }'
umask 077
try --logdest "$PWD/private.log" -e 'notify { "x": }'
for file in private.log lines.log array.json objects.jsonl more/other.log failed.log; do
  echo "== $file $(stat -c %a "$file")"
  plain "$file"
done
