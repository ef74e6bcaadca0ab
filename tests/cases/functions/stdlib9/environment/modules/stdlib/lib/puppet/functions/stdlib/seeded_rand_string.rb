# seeded_rand_string: not looked into.
