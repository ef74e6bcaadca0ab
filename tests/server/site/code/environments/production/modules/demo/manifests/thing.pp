define demo::thing($x) { }
