define m::thing($x = lookup("second")) { notify { "thing ${title} ${x} ${hostname}": } }
