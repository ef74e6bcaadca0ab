# case: oracle=no timeout=120
# Twenty typical tasks need no option that could be found out.
ruby "$CASE/../../tasks/run" "$(command -v bunraku)"
