# Functions of plain code need no Ruby; for others the reason is reported.
ask() {
  bunraku "$@" --environmentpath "$CASE" --environment plain --vardir vardir --ruby never 2>&1 || true
}
cat > facts.json <<END
{"x": "a fact", "node": "web1"}
END
for key in from_hash pattern_value plain deep::er::key; do
  ask lookup "$key" --node n --facts facts.json
done
ask eval -e '$top = "T"' -e '[p::call("ab", 2), p::default(1), p_sum([1, 2])]'
ask eval -e '[p::lambdas([1]), p::addresses(["10.0.0.0/8"]), p::words("the cat"), p_words({"words" => ["one"]}), p::files(1, 2)]'
ask eval -e '[p::library("aab-12")[1], p::forms("a b")[0]]'
ask eval -e 'p::state()'
ask eval -e 'p::partly("abcdef")'
# A changed data file is read again, and so is a function.
cp -r "$CASE/plain" copy
edit() {
  bunraku lookup plain --environmentpath . --environment copy --vardir vardir --ruby never --node n --facts facts.json
}
edit
sed -i 's/from the file/changed/' copy/data/common.yaml
edit
sed -i 's/LONG = 4/LONG = 3/' copy/modules/p/lib/puppet_x/p/words.rb
bunraku eval -e 'p::words("the cat")[0]' --environmentpath . --environment copy --vardir vardir --ruby never
# Cached catalogs of fleets are valid as long as the files that functions read do not change.
mkdir facts
cp facts.json facts/n.json
mkdir copy/manifests
echo 'notify { lookup("plain"): }' > copy/manifests/site.pp
fleet() {
  bunraku fleet compile facts --environmentpath . --environment copy --vardir vardir --cache cache --output out --ruby never | tail -n 1 | sed 's/ in .*//'
  grep -o '"title": *"[a-z]*[a-z ]*"' out/n.json | tail -n 1
}
fleet
fleet
sed -i 's/changed/changed again/' copy/data/common.yaml
fleet
