# has_module: not looked into.
