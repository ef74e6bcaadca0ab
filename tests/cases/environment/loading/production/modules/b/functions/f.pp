function b::f() { "b::f" }
