# A compilation that goes over its time or memory ends with an error of its own, and the others go on.
# case: oracle=no
# How much of 64 MB is left for a compilation depends on what the program has already, and how long
# the good node takes on the machine.
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
