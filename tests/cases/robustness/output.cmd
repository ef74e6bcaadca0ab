# A reader that goes away is no failure; a device without space is one.
# case: timeout=300
bunraku eval -e 'Integer[1, 100000].map |$x| { $x }' | head -n 1
bunraku eval -e 1 > /dev/full || echo "exit $?" >&2
# A program that writes without end is ended.
bunraku eval -e 'generate("/bin/cat", "/dev/zero")' || echo "exit $?" >&2
# A template without anything in it.
: > empty.epp
bunraku epp render empty.epp
