class m::chosen {
  case $facts['os']['name'] {
    'Debian': { m::thing { 'd': } }
    default: { notify { "fqdn ${fqdn_rand(1000)} ${$top}": } }
  }
  if defined('m::optional') { include m::optional }
  if find_file('m/hint') { notify { 'hint': } }
}
