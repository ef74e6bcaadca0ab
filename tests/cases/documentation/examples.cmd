# case: oracle=no timeout=900
# The examples of the program's commands run literally, too.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../documentation/run" "$(command -v bunraku)" "$CASE/../../documentation/examples.yaml"
