# case: oracle=no timeout=900
# The commands of every page run literally, and commands in running text exist.
unset BUNRAKU_LOG_FORMAT
root="$CASE/../../.."
ruby "$root/tests/documentation/run" "$(command -v bunraku)" "$root/README.md" "$root/CONTRIBUTING.md" "$root"/docs/*.md
