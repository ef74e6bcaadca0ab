# to_yaml: not looked into.
