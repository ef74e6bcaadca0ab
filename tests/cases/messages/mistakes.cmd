# case: oracle=no
# What is said of typical mistakes: of the kind, with the place, and the remedy where one is known. `./dev mistakes --reference` shows the
# reference's messages beside them.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)"
