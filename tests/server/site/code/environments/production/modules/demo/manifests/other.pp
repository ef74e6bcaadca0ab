class demo::other($a = "text ${1 + 1}", $b = -3, $c = default, $d = /re/, $e = Integer) { }
