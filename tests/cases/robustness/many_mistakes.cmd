# More than a thousand mistakes in a file are reported as such once.
# case: oracle=no
perl -e 'print "\$\n" x 1500' > many.pp
bunraku parser validate many.pp > out 2>&1 || echo "exit $?"
wc -l < out
tail -n 1 out
