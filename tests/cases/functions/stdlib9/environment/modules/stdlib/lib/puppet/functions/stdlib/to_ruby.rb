# to_ruby: not looked into.
