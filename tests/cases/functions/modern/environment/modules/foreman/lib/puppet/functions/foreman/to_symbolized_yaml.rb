# to_symbolized_yaml: not looked into.
