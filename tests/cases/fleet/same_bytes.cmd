# The catalogs do not depend on the number of threads, and every shard is a part of the whole.
# examples/fleet makes the same nodes everywhere.
root="$CASE/../../.."
"$root/examples/fleet/generate" --nodes 30 facts
fleet() { bunraku fleet compile facts --environmentpath "$root/examples/environments" --summary "$@" > /dev/null || echo "failed"; }
fleet --jobs 1 --output one
fleet --jobs 8 --output many
ls one | wc -l
diff -r one many && echo same
for part in 1 2 3; do fleet --shard $part/3 --output parts; ls parts | wc -l > count$part; done
diff -r one parts && echo same
cksum < facts/$(ls facts | head -n 1)
