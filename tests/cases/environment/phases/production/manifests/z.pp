function later() { "defined in a later file" }
