class a::deep::low { notice("deep::low") }
