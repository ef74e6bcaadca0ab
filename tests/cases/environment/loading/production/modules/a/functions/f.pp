function a::f() { "a::f" }
