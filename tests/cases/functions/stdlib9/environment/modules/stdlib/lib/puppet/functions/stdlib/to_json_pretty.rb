# to_json_pretty: not looked into.
