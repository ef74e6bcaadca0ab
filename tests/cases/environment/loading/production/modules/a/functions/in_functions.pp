class a::in_functions { }
