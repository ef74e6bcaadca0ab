class m (String $first, Array $list = [], Hash $merged = {}, String $own = 'default', M::Size $size = 1) {
  file { '/m':
    content => epp('m/m.epp', { 'first' => $first }),
  }
  notify { "m ${list} ${merged} ${own} ${size}": }
  notify { "file ${file('m/none.txt', 'm/some.txt')}": }
  notify { "f ${m::f($facts['os']['family'])}": }
  notify { "plain ${lookup('plain')} ${lookup('third', { 'default_value' => 0 })}": }
  notify { "g ${getvar('facts.deep.way.up')} ${defined('$late')}": }
  $key = $facts['which']
  notify { "by key ${facts['deep'][$key]} ${$facts['numbers'][0]}": }
  @notify { "virtual ${facts['os']['name']}": tag => 'v' }
  if $facts['os']['family'] == 'Debian' { Notify <| tag == 'v' |> }
  $facts['deep'].each |$name, $value| { notify { "each ${name} ${value}": } }
}
