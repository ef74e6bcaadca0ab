# crc32: not looked into.
