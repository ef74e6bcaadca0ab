# What needs a catalog is refused in a script.
# case: oracle=no
bunraku eval --script -e "epp('a/b.epp')"
echo "exit $?"
