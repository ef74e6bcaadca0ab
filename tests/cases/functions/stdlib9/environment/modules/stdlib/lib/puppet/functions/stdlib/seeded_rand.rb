# seeded_rand: not looked into.
