class own { notice("own of site") }
