# to_json: not looked into.
