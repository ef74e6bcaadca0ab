# fqdn_rotate: not looked into.
