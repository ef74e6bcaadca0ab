# Runs of a fleet that are killed, suspended and deprived of resources at random; see tests/kills/run.
# case: timeout=300 oracle=no
ruby "$CASE/../../kills/run" "$(command -v bunraku)" 12 "$$"
