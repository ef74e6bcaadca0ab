# Braces in patterns of data files are all replaced before files are searched, however deep they are, as in Ruby.
mkdir -p envs/production/data
cd envs/production/data
mkdir -p x1 x2 y1
for file in a.yaml b.yaml '{a.yaml' 'a{b}.yaml' '{}.yaml' x1/a.yaml x1/c.yaml x2/a.yaml x2/c.yaml y1/a.yaml; do
  echo "from: ['$file']" > "$file"
done
cd ../../..
find_files() {
  printf '%s\n' "{version: 5, hierarchy: [{name: files, glob: '$1'}]}" > envs/production/hiera.yaml
  bunraku lookup from --merge unique --node n --no-facts --environmentpath envs --hiera_config /nonexistent --render-as json 2>&1 || true
}
while read -r pattern; do
  printf '## %s\n' "$pattern"
  find_files "$pattern"
done <<'PATTERNS'
{x,y}*/{c,a}.yaml
{x1,x2}/{c,a}.yaml
*/{c,a}.yaml
{a.yaml
\{a.yaml
{a.yaml,b
{a,b}{.yaml
{b.yaml}
a\{b\}.yaml
a{b}.yaml
{\{\}}.yaml
{x{1,2}/{a,c},b}.yaml
{x{1,2/a},b}.yaml
PATTERNS
repeat() {
  for _ in $(seq "$2"); do printf %s "$1"; done
}
echo '## braces of one part, 2,000 deep'
find_files "$(repeat { 2000)a$(repeat } 2000).yaml"
echo '## braces of two parts, 2,000 deep'
find_files "$(repeat { 2000)a$(repeat ,b} 2000).yaml"
