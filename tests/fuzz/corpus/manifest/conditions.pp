case $x { 'a', /b/: { notice 1 } default: { fail('x') } }
$y = $x ? { 'a' => 1, default => $z ? { 1 => 2, default => undef } }
unless $x { 1 } else { 2 }
if $a =~ /x/ and !$b { a() } elsif $c in [1,2] { b } else { include foo, bar }
