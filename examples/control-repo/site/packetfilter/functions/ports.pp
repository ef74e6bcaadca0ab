# Formats ports in the syntax of the rule language.
function packetfilter::ports(Packetfilter::Ports $ports) >> String[1] {
  case $ports {
    Array[Any, 2]: { sprintf('{ %s }', $ports.sort.join(', ')) }
    Array:         { String($ports[0]) }
    default:       { "${ports}" }
  }
}
