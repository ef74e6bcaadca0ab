# case: timeout=300
# Workers are killed at random while catalogs are compiled: the catalog is right, or there is one
# clear error, and nothing is left behind.
code='Integer[1, 1000].each |$i| { notify { "n${i}": message => m::add($i) } } m_plain { "p": }'
ask() {
  exec bunraku catalog compile n --environmentpath "$CASE" --environment environment --vardir vardir -e "$code"
}
masked() { sed 's/"version": [0-9]*/"version": 0/;s/"catalog_uuid": "[^"]*"/"catalog_uuid": ""/' "$1"; }
# The start time of a process, because its number may be reused.
began() { sed 's/.*) //' "/proc/$1/stat" 2> gone | cut -d ' ' -f 20; }
is_left() { [ "$(began "$1")" = "$2" ] && ! grep -q '^State:.*zombie' "/proc/$1/status" 2> gone; }
(ask) | masked /dev/stdin > expected
: > workers
# Repeats until enough workers were killed: a fast machine may finish before a worker is found.
round=0
while [ "$(wc -l < workers)" -lt 6 ] && [ $round -lt 80 ]; do
  round=$((round + 1))
  (ask) > out 2> err &
  compiler=$!
  pause=$round
  while kill -0 $compiler 2> gone; do
    for worker in $(cat /proc/$compiler/task/*/children 2> gone); do
      # A sanitizer has child processes.
      grep -q bunraku- "/proc/$worker/comm" 2> gone || continue
      since=$(began "$worker")
      kill -9 "$worker" 2> gone && echo "$worker $since" >> workers
    done
    # Different moments in each round.
    pause=$(((pause * 37 + 11) % 97))
    sleep "0.0$(printf %02d $pause)"
  done
  if wait $compiler; then
    masked out | cmp -s - expected || echo "a wrong catalog in round $round"
  else
    grep -v '^Warning' err > told
    [ "$(wc -l < told)" = 1 ] && [ ! -s out ] || { echo "in round $round:"; cat err; }
    grep -Eq 'the Ruby process was killed by signal 9 while it ran|its supervisor was killed before it began' err || { echo "in round $round:"; cat err; }
  fi
done
[ "$(wc -l < workers)" -gt 5 ] || echo "only $(wc -l < workers) were killed"
sort -u workers > killed
while read -r worker since; do
  for moment in 1 2 3 4 5 6 7 8 9 10; do
    is_left "$worker" "$since" || break
    sleep 0.2
  done
  if is_left "$worker" "$since"; then echo "worker $worker is left"; fi
done < killed
echo done
