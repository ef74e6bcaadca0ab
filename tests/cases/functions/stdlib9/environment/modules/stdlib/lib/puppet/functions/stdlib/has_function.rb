# has_function: not looked into.
