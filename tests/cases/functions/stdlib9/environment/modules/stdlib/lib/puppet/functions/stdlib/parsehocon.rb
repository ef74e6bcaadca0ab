# parsehocon: not looked into.
