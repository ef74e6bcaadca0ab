# Many requests in one process: each answer has its own logs, relationships and errors.
bunraku eval --batch <<'REQUESTS' | sed -E 's/"catalog":.*"relationships"/"catalog":{},"relationships"/'
{"code": "notice('hello') [1, 2]"}
{"code": "notify { 'a': } ~> notify { 'b': } Notify['a'] -> Notify['b']"}
{"code": "warning('before') 1 + 'x'"}
{"code": "$x = = 1"}
{"codes": ["$a = 1", "$a + 1"]}
REQUESTS
