# A reader that goes away is no failure; a device without space is one.
bunraku eval -e 'Integer[1, 100000].map |$x| { $x }' | head -n 1
bunraku eval -e 1 > /dev/full || echo "exit $?" >&2
