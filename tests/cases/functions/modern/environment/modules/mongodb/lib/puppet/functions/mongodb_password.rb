# mongodb_password: not looked into.
