# An interrupt ends the run with a message; the results so far are reported.
mkdir -p environments/production/manifests facts
echo 'notify { generate("/bin/sh", "-c", "sleep 0.3; echo x"): }' > environments/production/manifests/site.pp
for i in $(seq 100 160); do echo '{}' > facts/n$i.json; done
bunraku fleet compile facts --environmentpath environments --jobs 1 --summary --output out > text 2> message &
compiling=$!
# Waits until there is something to report.
for _ in $(seq 500); do [ -n "$(ls -A out 2> /dev/null)" ] && break; sleep 0.1; done
kill -INT $compiling
wait $compiling || echo "exit $?"
sed -E 's/[0-9]+ of 61/N of 61/' message
sed -E 's/: [0-9]+ compiled, [0-9]+ not run.*/: N compiled, N not run/' text
test "$(ls out | wc -l)" -gt 0 && echo some
# No catalog is partial, and nothing else was left behind.
for file in out/*; do [ "$(tail -c 2 "$file")" = '}' ] || echo "$file is cut off"; done
ls -A out | grep -vE '^n[0-9]+\.json$' || echo 'nothing else'
