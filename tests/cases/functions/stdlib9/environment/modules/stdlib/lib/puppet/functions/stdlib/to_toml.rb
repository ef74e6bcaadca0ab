# to_toml: not looked into.
