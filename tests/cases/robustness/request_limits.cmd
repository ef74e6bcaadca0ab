# A compilation that exceeds its time or memory ends with an error, and the others continue.
# case: oracle=no
# The memory of 64 MB that remains for a compilation depends on the program's own use, and the duration of the valid node's compilation
# depends on the speed of the machine.
shown() { sed -E "s/[0-9]+ MiB/N MiB/; s/  [0-9.]+ m?s$//; s/resources in .*/resources/"; }
{
  bunraku eval --timeout 0.3 -e 'Integer[0, 9223372036854775806].reduce(0) |$m, $x| { $m }' || echo "exit $?"
  bunraku eval --memory 64M -e 'Integer[1, 60].reduce([1]) |$m, $x| { $m + $m }' || echo "exit $?"
} 2>&1 | shown
mkdir -p e/production/manifests facts
for node in bomb endless good; do echo "kind: $node" > facts/$node.yaml; done
cat > e/production/manifests/site.pp <<'PP'
case $facts['kind'] {
  'bomb': { $a = Integer[1, 60].reduce([1]) |$m, $x| { $m + $m } }
  'endless': { Integer[0, 9223372036854775806].each |$x| { } }
  default: { notify { 'good': } }
}
PP
bunraku fleet compile facts --environmentpath e --jobs 1 --timeout 0.3 --memory 64M 2>&1 | shown
