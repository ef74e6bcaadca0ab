# Checks, copies and purges of a SQLite store, whose copy is a file.
bunraku store import "$CASE/fleet" --store sqlite:a.db
bunraku store check --store sqlite:a.db
bunraku store check --store sqlite:a.db --format json
bunraku store backup copy.db --store sqlite:a.db
bunraku query 'nodes[count()] {}' --store sqlite:copy.db
bunraku store vacuum --store sqlite:copy.db | sed "s/[0-9][0-9]*/N/g"
bunraku store backup copy.db --store sqlite:a.db || echo "exit $?"
