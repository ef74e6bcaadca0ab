# Fixes for mistakes: described in text and in machine-readable formats.
show() {
  printf -- '--- %s\n' "$1"
  bunraku parser validate --format json -e "$1" |
    sed -nE '/"(labels|fixes)": \[/,/\]/{s/^ +"(text|description|replacement|line|pos|end_pos)": (.*[^,]),?$/\1 \2/p}' |
    paste -sd' '
}
show 'if $a { } else if $b { }'
show 'if $a { } elseif $b { }'
show 'if $a = 1 { }'
show 'if $a === 1 { }'
show 'if $a && $b { }'
show 'if $a || $b { }'
show 'unles $x { }'
show 'clas foo { notice(1) }'
show 'includ foo'
show "file { 'a': mode => '1' owner => 'me' }"
show "file { 'a' ensure => present }"
show "file { 'a', ensure => present }"
show "file { 'a' }"
show "file { 'a': ensure = present }"
show "file { 'a': ensure +> present }"
show '$a = { b = 1 }'
show '$a = { b: 1 }'
show '$a = [1 2]'
show 'class a(String x) { }'
show 'class a($x => 1) { }'
show 'class a($x, $x) { }'
show 'x = 1'
show 'class Foo { }'
show 'class foo-bar { }'
show "class 'foo' { }"
show 'notice 12monkeys'
show 'attr'
show "\$a = 'abc"
show '$a = "abc ${x} '
show 'class a { if $x { }'
show '$a = [1, 2)'
