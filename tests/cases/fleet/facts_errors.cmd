# Facts that cannot be read fail only their own node.
mkdir environments facts && ln -s "$CASE/small" environments/production
cp "$CASE/facts/web1.example.com.yaml" facts
echo '{"role": ' > facts/broken.json
ln -s nowhere facts/gone.yaml
bunraku fleet compile facts --environmentpath environments | sed -E 's/ +[0-9.]+ ms//; s/; ([0-9,]+ resources?) in .*/; \1/'
