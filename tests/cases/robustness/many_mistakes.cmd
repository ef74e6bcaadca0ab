# That a file has more than a thousand mistakes is reported once.
# case: oracle=no
perl -e 'print "\$\n" x 1500' > many.pp
bunraku parser validate many.pp > out 2>&1 || echo "exit $?"
wc -l < out
tail -n 1 out
