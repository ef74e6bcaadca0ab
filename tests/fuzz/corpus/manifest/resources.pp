File <| title == 'x' and mode != 3 |> { owner => root }
File <<| |>> -> Service['x'] ~> Exec[a, b]
@file { 'a': ensure => present; 'b': * => {a=>1}, mode => '1' }
@@foo::bar { default: a => 1; ['x','y']: }
File { mode => 1 }
File['a'] { mode +> 2 }
class { 'x': a => 1 }
