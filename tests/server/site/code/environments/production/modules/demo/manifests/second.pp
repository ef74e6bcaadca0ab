class demo::second inherits demo { }
