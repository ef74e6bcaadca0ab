# A template's path may be any text, such as a fact: a pipe or device is refused without being opened, which could have effects.
# case: oracle=no
mkfifo pipe
(echo text > pipe; echo "the pipe was opened") &
writer=$!
sleep 0.2
bunraku eval -e "epp('$PWD/pipe')" 2>&1 | sed "s|$PWD|DIR|" || true
bunraku eval -e "template('$PWD/pipe')" 2>&1 | sed "s|$PWD|DIR|" || true
kill "$writer"
wait 2> /dev/null || true
