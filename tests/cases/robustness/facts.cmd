# Invalid facts.
facts() {
  echo "$1:" >&2
  bunraku eval -e '$facts' --facts "$2" && echo "no error" || echo "exit $?"
}

facts 'not there' nosuch.yaml
mkdir folder.yaml
facts 'a folder' folder.yaml
echo '{"a": ' > broken.json
facts 'broken JSON' broken.json
printf 'a: [1\n' > broken.yaml
facts 'broken YAML' broken.yaml
echo '[1, 2]' > list.json
facts 'a list' list.json
