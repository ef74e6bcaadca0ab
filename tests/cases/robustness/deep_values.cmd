# case: timeout=120
# Values and types of 100,000 levels, and endless code: always an error, never a crash.
# One process evaluates all, so that a crash or hang affects all following ones.
evaluate() { printf '{"code": "%s"}\n' "$(printf '%s' "$1" | tr '\n' ' ' | sed 's/\\/\\\\/g; s/"/\\"/g')"; }
{
array='$deep = Integer[1, 100000].reduce([]) |$m, $x| { [$m] };'
hash='$deep = Integer[1, 100000].reduce({}) |$m, $x| { { a => $m } };'
type='$deep = Integer[1, 100000].reduce(Integer) |$m, $x| { Array[$m] };'
object='type P = Object[{ attributes => { a => { type => Optional[P], value => undef } } }]
  $deep = Integer[1, 5000].reduce(P()) |$m, $x| { P({ a => $m }) };'
for value in "$array" "$hash" "$object"; do
  for use in '$deep' '"${deep}"' "String(\$deep, '%p')" 'type($deep)' 'type($deep, generalized)' '[$deep] == [$deep]' \
    'case $deep { $deep: { 1 } default: { 2 } }' '[1] ? { $deep => 1, default => 2 }' \
    '$deep =~ RichData' 'assert_type(Integer, $deep)' '$deep.tree_each.map |$x| { 1 }.length' \
    "notify { 'x': message => \$deep }" 'warning($deep)'; do
    evaluate "$value $use"
  done
done
evaluate "$array flatten([\$deep])"
evaluate "$array join(\$deep, ',')"
for use in '$deep' '"${deep}"' '$deep <= $deep' 'assert_type($deep, 1)' 'type($deep)' 'Optional[$deep]' '{ $deep => 1 }'; do
  evaluate "$type $use"
done
for step in 'Type[$m]' 'Optional[$m]' 'Init[$m]' 'Callable[[$m], $m]' 'Struct[{ a => $m }]' 'Tuple[$m, $m]' 'Sensitive[$m]'; do
  evaluate "\$deep = Integer[1, 20000].reduce(Integer) |\$m, \$x| { $step }; \"\${deep}\""
done
evaluate '$text = join(Array(Integer[1, 100000].map |$x| { "Array[" }), ""); Type("${text}Integer")'
evaluate 'type T = Variant[Integer, Array[T]] $deep = Integer[1, 100000].reduce(1) |$m, $x| { [$m] }; $deep =~ T'
evaluate 'type T = T T'
evaluate 'type A = Object[{ parent => B }] type B = Object[{ parent => A }] A()'
evaluate 'type A = Array[A] notify { x: message => A }'
for body in 'f($x)' '$x.map |$y| { f([$y]) }' '"${f($x)}"' 'case f($x) { default: { 1 } }' '[2, 1].sort |$a, $b| { f($x) }' \
  'call("f", $x)' '$x.then |$y| { f($y) }' 'inline_epp("<%= f([1]) %>")' '$x.each |$y| { f([1]) }'; do
  evaluate "function f(\$x) { $body } f([1])"
done
evaluate 'function f($x = f()) { $x } f()'
evaluate 'function a() { b() } function b() { a() } a()'
evaluate 'function f($n) { if $n == 0 { "done" } else { f($n - 1) } } f(4000)'
} | bunraku eval --batch | sed 's/^{"error":"\([^"]*\)".*/\1/' | cut -c 1-220
