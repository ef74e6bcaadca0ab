# shell_escape: not looked into.
