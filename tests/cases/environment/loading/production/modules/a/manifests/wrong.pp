class a::elsewhere { }
