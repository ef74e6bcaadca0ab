type Foo::Bar = Struct[{a => Integer, Optional[b] => String}]
type X = Object[{attributes => {}}]
function f(Integer $a, $b = 2) >> Integer { $a + $b * 3 }
