# has_ip_network: not looked into.
