# case: oracle=no timeout=120
# Twenty typical tasks need no obscure option.
ruby "$CASE/../../tasks/run" "$(command -v bunraku)"
