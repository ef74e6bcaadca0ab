$from_a = "a" notice("a") function in_a() { "function of a.pp" }
