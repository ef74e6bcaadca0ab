# What needs a catalog is refused in a task.
# case: oracle=no
bunraku eval --script --tasks true -e "template('a/b.erb')"
