# Replaces the module's own function.
function stdlib::has_ip_address(String $address) >> Boolean {
  stdlib::has_interface_with('ipaddress', $address)
}
