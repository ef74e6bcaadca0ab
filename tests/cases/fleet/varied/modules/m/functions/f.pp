function m::f($family) { "f of ${family}" }
