# case: timeout=300
# 200 MB of manifest, with a mistake at its end.
yes '$unused = [1, "two", { three => 3 }]' | head -n 5500000 > site.pp
printf '\n}\n' >> site.pp
bunraku catalog compile n site.pp
