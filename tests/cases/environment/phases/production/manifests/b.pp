$from_b = "${from_a} b" notice("b") class shadowed { notice("the manifest has it") }
