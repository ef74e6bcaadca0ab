# has_interface_with: not looked into.
