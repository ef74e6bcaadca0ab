# case: oracle=no
# Facts of the machine that runs the program, few of which are the same everywhere.
bunraku facts show --no-custom-facts kernel --value-only
bunraku facts show --no-custom-facts kernel nosuch.fact os.nosuch
bunraku facts show --no-custom-facts hostname --value-only | grep -c .
bunraku facts show --no-custom-facts | grep -c '^  "hostname"' || true
bunraku facts show --no-custom-facts --show-legacy | grep -c '^  "hostname"'
bunraku facts show --no-custom-facts --timing kernel 2>&1 >/dev/null | grep -c "^fact 'networking', took: [0-9.]* seconds$"
bunraku facts show --no-custom-facts --value-only || echo "exit $?"
