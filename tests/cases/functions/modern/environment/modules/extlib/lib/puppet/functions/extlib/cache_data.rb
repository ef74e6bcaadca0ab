# cache_data: not looked into.
