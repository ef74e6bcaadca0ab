# case: oracle=no timeout=120
# Of no typical mistake is less said than by the reference, whose answers are recorded: neither on a pipe nor on a terminal.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)" --count
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)" --count --terminal
