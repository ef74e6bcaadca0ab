function a::deep::f() { "a::deep::f" }
