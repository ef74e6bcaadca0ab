$a = @(END)
  foo ${x}
  | END
$b = @("X":json/tn)
  a\tb ${y} $z
  |- X
