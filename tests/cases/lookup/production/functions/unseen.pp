function environment::unseen() { 1 }
