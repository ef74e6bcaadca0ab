# The commands of docs/repository.md and of the README for one's own repository run as they are written, in a control repository.
cp -r "$CASE/../../../examples/control-repo" repository
cd repository
for page in README.md docs/repository.md; do
  awk '/^```/ { inside = !inside; plain = $0 == "```"; next } inside && plain && /^bunraku/' "$CASE/../../../$page" > commands.sh
  grep -c . commands.sh
  sh -e commands.sh > answer 2> errors || { cat errors; echo failed; }
  tail -1 errors | sed 's/^Checked.*: /Checked: /'
done
