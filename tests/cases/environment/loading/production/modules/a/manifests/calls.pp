class a::calls { notice(b::f(), c::f(), environment::f(), site_f()) }
