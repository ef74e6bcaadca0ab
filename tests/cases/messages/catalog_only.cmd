# Features that need a catalog are refused in a task.
# case: oracle=no
bunraku eval --script --tasks true -e "template('a/b.erb')"
