define api::thing($a = 1, $b = undef) { notify { "thing ${title}": message => "${a}${b}" } }
