# ensure_packages: not looked into.
