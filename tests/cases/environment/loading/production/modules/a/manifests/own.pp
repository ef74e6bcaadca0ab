class a::own { notice("own") } class a::own::below { notice("below own") }
