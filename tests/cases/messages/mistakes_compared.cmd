# case: oracle=no timeout=120
# For no typical mistake the program reports less than the reference (its messages are recorded), neither on a pipe nor on a terminal.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)" --count
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)" --count --terminal
