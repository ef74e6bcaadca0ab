function environment::f() { "environment::f" }
