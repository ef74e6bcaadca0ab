class a::bad_import inherits a::nosuch { }
