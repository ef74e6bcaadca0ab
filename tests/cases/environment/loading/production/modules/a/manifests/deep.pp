class a::deep { notice("deep") } class a::deep::low { notice("never seen") }
