# A match whose steps grow without end is refused; the reference does not return (D20).
# case: oracle=no timeout=60
bunraku eval -e 'match("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n", "\\A([a-z]+-*)*\\z")' || echo "exit $?"
bunraku eval -e '"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n" =~ Pattern[/\A([a-z]+-*)*\z/]' || echo "exit $?"
