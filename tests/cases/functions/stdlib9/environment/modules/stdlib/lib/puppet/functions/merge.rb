# merge: not looked into.
