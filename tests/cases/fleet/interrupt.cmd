# An interrupt ends the run with a message; what was done is told.
mkdir -p environments/production/manifests facts
echo 'notify { generate("/bin/sh", "-c", "sleep 0.3; echo x"): }' > environments/production/manifests/site.pp
for i in $(seq 100 160); do echo '{}' > facts/n$i.json; done
timeout --foreground --preserve-status -s INT 1.5 bunraku fleet compile facts --environmentpath environments --jobs 1 --summary --output out > text 2> message || echo "exit $?"
sed -E 's/[0-9]+ of 61/N of 61/' message
sed -E 's/: [0-9]+ compiled, [0-9]+ not run.*/: N compiled, N not run/' text
test "$(ls out | wc -l)" -gt 0 && echo some
