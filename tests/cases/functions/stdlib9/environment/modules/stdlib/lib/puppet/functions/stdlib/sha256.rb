# sha256: not looked into.
