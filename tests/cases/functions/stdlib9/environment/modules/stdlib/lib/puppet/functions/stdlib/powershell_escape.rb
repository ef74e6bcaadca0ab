# powershell_escape: not looked into.
