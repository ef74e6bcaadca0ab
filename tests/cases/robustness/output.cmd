# A reader that closes its pipe is not a failure; a device without space is.
# case: timeout=300
bunraku eval -e 'Integer[1, 100000].map |$x| { $x }' | head -n 1
bunraku eval -e 1 > /dev/full || echo "exit $?" >&2
# A program that writes endlessly is ended.
bunraku eval -e 'generate("/bin/cat", "/dev/zero")' || echo "exit $?" >&2
# An empty template.
: > empty.epp
bunraku epp render empty.epp
