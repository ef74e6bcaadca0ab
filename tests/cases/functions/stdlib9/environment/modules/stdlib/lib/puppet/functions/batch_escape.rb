# batch_escape: not looked into.
