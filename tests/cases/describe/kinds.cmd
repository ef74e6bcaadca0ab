# Everything that has a name, with and without its kind.
bunraku describe function split
bunraku describe type file | head -1
bunraku describe functions | sed -n 1,4p
bunraku describe types | sed -n 1,3p
bunraku describe diagnostics | sed -n 1,2p
bunraku describe functions --format json | grep -c '"kind": "function"' | sed 's/^[1-9][0-9][0-9]$/hundreds/'
bunraku describe type split
