# type_of: not looked into.
