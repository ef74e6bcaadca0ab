function a::g() { "a::g in the wrong file" }
