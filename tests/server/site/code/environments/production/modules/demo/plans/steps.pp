plan demo::steps() { return 1 }
