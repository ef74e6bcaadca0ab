# Write errors are reported, and no partial catalog exists under its final name.
mkdir environments && ln -s "$CASE/small" environments/production
compile() { bunraku fleet compile "$CASE/facts" --only 'web*' --environmentpath environments "$@" | sed -E 's/ +[0-9.]+ ms//; s/; ([0-9,]+ resources?) in .*/; \1/'; }
(trap '' XFSZ; ulimit -f 2; compile --output full)
ls full | wc -l
compile --output out
ls out
echo x > file
bunraku fleet compile "$CASE/facts" --environmentpath environments --output file || echo "exit $?"
# A cache that cannot be written does not affect the results; a full disk for the report is reported.
(trap '' XFSZ; ulimit -f 1; compile --cache small)
ls small/catalogs | wc -l
mkdir -p odd/index
compile --cache odd
bunraku fleet compile "$CASE/facts" --only 'web*' --environmentpath environments > /dev/full || echo "exit $?"
