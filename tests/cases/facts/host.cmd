# case: oracle=no
# Facts of the machine that runs the program, of which few are the same everywhere.
bunraku facts show kernel --value-only
bunraku facts show kernel nosuch.fact os.nosuch
bunraku facts show hostname --value-only | grep -c .
bunraku facts show | grep -c '^  "hostname"' || true
bunraku facts show --show-legacy | grep -c '^  "hostname"'
bunraku facts show --timing kernel 2>&1 >/dev/null | grep -c "^fact 'networking', took: [0-9.]* seconds$"
bunraku facts show --value-only || echo "exit $?"
