# case: oracle=no
# The messages for typical mistakes: with the kind, the place, and the remedy where one is known. To see the reference's messages next to
# them, use `./dev mistakes --reference`.
unset BUNRAKU_LOG_FORMAT
ruby "$CASE/../../mistakes/run" "$(command -v bunraku)"
