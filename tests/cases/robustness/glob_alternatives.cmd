# Patterns of data files with too many alternatives, or with alternatives that are too long together, are errors.
# case: differs=D714
mkdir -p envs/production/data
repeat() {
  for _ in $(seq "$2"); do printf %s "$1"; done
}
find_files() {
  printf '%s\n' "{version: 5, hierarchy: [{name: files, glob: '$1'}]}" > envs/production/hiera.yaml
  bunraku lookup from --node n --no-facts --environmentpath envs --hiera_config /nonexistent 2>&1 || true
}
echo '## too many alternatives'
find_files "$(repeat '{a,b}' 17).yaml"
echo '## alternatives too long'
find_files "{$(repeat a, 2000)}$(repeat x 60000).yaml"
