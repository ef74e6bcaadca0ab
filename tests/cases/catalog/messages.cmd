# Complete errors, in the form for users.
compile() {
  bunraku catalog compile n.example.com -e "$1" 2>&1 || true
}
compile 'define greet($whom) { notify { $whom: message => $whom + 1 } }
greet { "a": whom => "you" }'
compile 'class a { class { "b": } } class b { notify { "x": message => split([1], 2) } } include a'
for code in "[\$x] = Class['settings']" "notify { 'a': }" 'include a' "realize(Notify['a'])" "Notify['a'] -> Notify['b']"; do
  bunraku eval --script -e "$code" 2>&1 || true
done
