# Runs over a fleet that are killed, stopped and short of resources at random: tests/kills/run describes more.
# case: timeout=300 oracle=no
ruby "$CASE/../../kills/run" "$(command -v bunraku)" 12 "$$"
