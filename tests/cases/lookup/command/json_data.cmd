# Data files that are not JSON, and JSON that is not a hash.
mkdir -p production/data
echo '{"version": 5, "hierarchy": [{"name": "all", "path": "all.json", "data_hash": "json_data"}]}' > production/hiera.yaml
look() {
  echo "## $1"
  printf '%s' "$1" > production/data/all.json
  bunraku lookup a --no-facts --environmentpath . --hiera_config /nonexistent --node n --render-as s 2>&1 | sed "s,$PWD,<folder>,"
}
look '{"a": 1}'
look '// comment
{"a": /* one */ 1}'
look '{"a": "\x"}'
look '{"a": '
look ''
look '{"a": 1}}'
look '[1]'
look '"x"'
look 'null'
