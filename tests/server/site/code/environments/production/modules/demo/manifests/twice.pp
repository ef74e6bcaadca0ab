class demo::wrong { }
class demo::place { }
