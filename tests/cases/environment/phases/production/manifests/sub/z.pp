notice("sub: ${from_b}, ${in_a()}, ${later()}") class free::of::names { notice("named freely") }
