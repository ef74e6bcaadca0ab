# to_python: not looked into.
