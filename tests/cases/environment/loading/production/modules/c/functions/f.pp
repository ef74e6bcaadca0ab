function c::f() { "c::f" }
