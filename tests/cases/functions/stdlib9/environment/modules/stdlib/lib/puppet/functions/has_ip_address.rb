# has_ip_address: not looked into.
