class c($p = b::f()) { notice($p) }
