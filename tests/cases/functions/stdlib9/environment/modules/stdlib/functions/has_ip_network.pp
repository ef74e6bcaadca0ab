# Replaces the module's own function.
function stdlib::has_ip_network(String $address) >> Boolean {
  stdlib::has_interface_with('network', $address)
}
