# 100,000 brackets of each kind, in code and in data.
repeat() { head -c 100000 /dev/zero | tr '\0' "$1"; }
for bracket in '[' '(' '{' '!' '-'; do
  { printf '$x = '; repeat "$bracket"; } > site.pp
  bunraku catalog compile n site.pp || echo "exit $?"
done
repeat '[' > data.yaml
bunraku eval -e 1 --facts data.yaml || echo "exit $?"
