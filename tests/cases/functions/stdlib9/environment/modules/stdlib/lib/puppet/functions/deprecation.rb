# deprecation: not looked into.
