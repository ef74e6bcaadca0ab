# case: timeout=300
# Values with shared parts, 2^60 of them: compared and inferred part by part, and an error where all would be written.
# Endless iterations and exponential growth end in an error, too.
evaluate() { printf '{"code": "%s"}\n' "$(printf '%s' "$1" | tr '\n' ' ' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
{
double='$a = Integer[1, 60].reduce(1) |$m, $x| { [$m, $m] } $b = Integer[1, 60].reduce(1) |$m, $x| { [$m, $m] };'
for use in '$a == $b' '$a == [$b]' '{ $a => 1 }[$b]' '[$a] in [[$b]]' '[$a, $b].unique.length' '$a =~ Data' '$a =~ RichData' \
  '"${type($a, reduced)}".length' '"${type([$a, $b], generalized)}".length' '$a =~ type($b)' 'type($a) == type($b)' \
  '($a - $b).length' 'type T = Variant[Integer, Array[T]] $a =~ T'; do
  evaluate "$double $use"
done
hash='$a = Integer[1, 60].reduce(1) |$m, $x| { { a => $m, b => $m } } $b = Integer[1, 60].reduce(1) |$m, $x| { { b => $m, a => $m } };'
for use in '$a == $b' '$a =~ Data' '$b =~ type($a)' '{ $a => 1 }[$b]' 'type($a) == type($b)'; do evaluate "$hash $use"; done
type='$a = Integer[1, 60].reduce(Integer) |$m, $x| { Tuple[$m, $m] } $b = Integer[1, 60].reduce(Integer) |$m, $x| { Tuple[$m, $m] };'
for use in '$a == $b' '$a <= $b' '$a < $b' '{ $a => 1 }[$b]' '[1] =~ $a'; do evaluate "$type $use"; done
evaluate "$double \"\${\$a}\""
evaluate "$type \"\${\$a}\""
for endless in 'Array(9223372036854775807.step(2))' 'Array(Integer[1, 9223372036854775806])' \
  'Integer[1, 60].reduce("x") |$m, $x| { "$m$m" }' 'Integer[1, 60].reduce(Binary("aaaa")) |$m, $x| { $m + $m }' \
  '9223372036854775807.reverse_each.any |$x| { $x < 9223372036854775800 }'; do
  evaluate "$endless"
done
} | bunraku eval --batch | sed 's/^{"error":"\([^"]*\)".*/error: \1/' | cut -c 1-120
