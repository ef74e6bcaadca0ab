# Programs in settings and code are ended after the limit, with all of their children.
# case: oracle=no
mkdir -p production/manifests external
echo 'notify { "a": }' > production/manifests/site.pp
# Leaves a process in a separate session, which does not hold our output open.
cat > slow <<'SCRIPT'
#!/bin/sh
echo $$ >> "$0.pids"
setsid sh -c 'echo $$ >> "$0.pids"; exec sleep 1000' "$0" > /dev/null 2>&1 &
sleep 1000 & echo $! >> "$0.pids"
sleep 1000
SCRIPT
chmod +x slow
ask() {
  echo "$1" >&2
  shift
  "$@" --program-timeout 0.5 || echo "exit $?" >&2
}
compile="bunraku catalog compile n --no-facts --environmentpath . --ruby never"
echo "config_version = $PWD/slow" > production/environment.conf
ask config_version $compile
rm production/environment.conf
ask classifier $compile --node_terminus exec --external_nodes "$PWD/slow"
ask 'trusted external command' $compile --trusted_external_command "$PWD/slow"
ask 'generate' bunraku eval -e "generate('$PWD/slow')"
# All have ended, each with its child and the processes that left its session.
sleep 0.2
count=0
for process in $(cat slow.pids); do
  count=$((count + 1))
  case $(cut -d' ' -f3 "/proc/$process/stat" 2> /dev/null) in '' | Z | X) ;; *) echo "left: $(tr '\0' ' ' < /proc/$process/cmdline)" ;; esac
done
echo "$count processes"

# Started programs also end when the program is killed.
rm slow.pids
bunraku eval -e "generate('$PWD/slow')" 2> /dev/null &
killed=$!
for i in $(seq 200); do [ "$(cat slow.pids 2> /dev/null | wc -l)" -ge 3 ] && break; sleep 0.05; done
kill -9 $killed
wait $killed 2> /dev/null || echo "exit $?"
for i in $(seq 100); do
  left=0
  for process in $(cat slow.pids); do
    case $(cut -d' ' -f3 "/proc/$process/stat" 2> /dev/null) in '' | Z | X) ;; *) left=$((left + 1)) ;; esac
  done
  [ $left = 0 ] && break
  sleep 0.05
done
echo "$left left of $(wc -l < slow.pids)"
