# time: not looked into.
