class shadowed { notice("the module has it") }
