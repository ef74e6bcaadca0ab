# Endless recursion.
evaluate() { bunraku eval -e "$1" || echo "exit $?"; }
evaluate 'function f($n) { f($n + 1) } f(0)'
evaluate 'function f($n) { [1].each |$x| { f($n) } } f(0)'
evaluate 'type T = Array[T] [[]] =~ T'
evaluate 'define d { d { "${title}x": } } d { "a": }'
