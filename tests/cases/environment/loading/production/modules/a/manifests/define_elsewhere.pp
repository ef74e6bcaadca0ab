define a::wrong_define() { }
