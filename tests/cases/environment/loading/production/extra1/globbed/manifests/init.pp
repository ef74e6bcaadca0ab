class globbed { notice("globbed") }
