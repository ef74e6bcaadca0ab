class b { notice("b sees ${c::f()}") }
