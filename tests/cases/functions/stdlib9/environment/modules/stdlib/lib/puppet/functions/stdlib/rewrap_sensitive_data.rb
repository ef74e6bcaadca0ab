# rewrap_sensitive_data: not looked into.
