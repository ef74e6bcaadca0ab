# Whether a text matches is known although the steps of backtracking grow without end, except for patterns with references to
# groups; the reference does not return (D20).
# case: oracle=no timeout=60
a=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
bunraku eval -e 'notice(match("'$a'\n", "\\A([a-z]+-*)*\\z"))'
bunraku eval -e 'type Path = Pattern[/\A\/([^\n\/\0]+\/*)*\z/]; ["/'$a/$a'", "/'$a/$a'\n"].map |$path| { $path =~ Path }'
bunraku eval -e 'match("'$a'\n", "\\A([a-z]+-*)*\\1?\\z")' || echo "exit $?"
bunraku eval -e '"'$a'\n" =~ Pattern[/\A([a-z]+-*)*\1?\z/]' || echo "exit $?"
