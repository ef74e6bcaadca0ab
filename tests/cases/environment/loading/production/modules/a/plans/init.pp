plan a() { return 1 }
