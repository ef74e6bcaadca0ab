# Resource types: their documentation, attributes, providers and metaparameters.
bunraku describe mailalias
echo "## --providers"
bunraku describe -p service | sed -n '/^  Providers/,$p'
echo "## --meta"
bunraku describe --meta stage
echo "## --short"
bunraku describe --short --meta --providers cron
echo "## values, defaults and features"
bunraku describe package | sed -n '/^  Properties/,/^    name/p'
echo "## a type that is not native"
bunraku describe type anchor
echo "## as data"
bunraku describe type selboolean --format json
bunraku describe type selboolean --meta --format json | ruby -rjson -e '
  JSON.parse(STDIN.read)[0]["metaparameters"].each { |one| puts one["name"] }'
bunraku describe stage --no-meta --format json | grep -c metaparameters || true
echo "## the list"
bunraku describe types | grep -v "^  [a-z_]*$"
