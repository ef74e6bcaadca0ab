# Empty data files contain nothing; an empty hiera.yaml has version 3.
mkdir -p production/data
echo 'version: 5' > production/hiera.yaml
: > production/data/common.yaml
: > empty.yaml
look() { bunraku lookup x --no-facts --format json --environmentpath . --node n "$@" 2>&1 || echo "-> $?"; }
look --hiera_config /nonexistent --default none --render-as s
look --hiera_config empty.yaml --default none --render-as s
: > production/hiera.yaml
look --hiera_config /nonexistent
