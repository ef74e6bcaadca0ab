class m($param = 'default', $other = 'default', $from_module = 'none') { notify { "${param} ${other} ${from_module}": } }
