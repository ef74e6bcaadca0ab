$x.each |Integer $i, *$rest| >> String { notice "a${i}b$rest" }
