function f_without() { 1 }
