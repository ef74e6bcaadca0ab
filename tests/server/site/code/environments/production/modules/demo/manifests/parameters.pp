# Parameters of many kinds.
class demo::parameters(
  $untyped,
  String $required,
  Optional[Integer[0, 10]] $optional = undef,
  Array[String] $list = ['a', 'b'],
  Hash $map = { 'k' => 1, 'l' => true },
  $computed = $facts['kernel'],
  Enum['x', 'y'] $choice = 'x',
  Float $float = 1.5,
  Boolean $flag = true,
) {
}
