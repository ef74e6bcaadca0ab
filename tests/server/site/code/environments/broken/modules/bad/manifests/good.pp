class bad::good($x = 1) { }
