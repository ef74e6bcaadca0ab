# sort_by: not looked into.
