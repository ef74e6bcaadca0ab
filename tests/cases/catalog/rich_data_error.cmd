# A failure to write the catalog is not an error of the node; a failure to compile is.
bunraku catalog compile n.example.com -e 'notify { "a": message => Timestamp("2020-01-01") }' --set rich_data=false --set strict=error 2>&1 || echo "-> $?"
bunraku catalog compile n.example.com -e 'notify { "a": message => Timestamp("2020-01-01") } fail("no")' --set rich_data=false --set strict=error 2>&1 || echo "-> $?"
bunraku catalog compile n.example.com -e 'fail("no")' --set rich_data=false 2>&1 || echo "-> $?"
