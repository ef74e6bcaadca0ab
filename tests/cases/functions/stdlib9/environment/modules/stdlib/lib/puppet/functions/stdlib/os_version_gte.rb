# os_version_gte: not looked into.
