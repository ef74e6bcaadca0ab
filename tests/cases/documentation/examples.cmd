# case: oracle=no timeout=900
# So do the examples of the program's commands.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../documentation/run" "$(command -v bunraku)" "$CASE/../../documentation/examples.yaml"
