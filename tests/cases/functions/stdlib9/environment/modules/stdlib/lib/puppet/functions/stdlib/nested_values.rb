# nested_values: not looked into.
