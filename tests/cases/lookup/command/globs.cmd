# Patterns of data files follow Ruby's rules: directories of any depth, braces in their order, hidden names and links.
mkdir -p envs/production/data outside
cd envs/production/data
mkdir -p b/e .h a c.d
for file in a.yaml b.yaml b/a.yaml b/c.yaml b/e/x.yaml z.yaml .h/q.yaml .k.yaml a/0.yaml c.d/1.yaml 'b/[n].yaml' 'b/{m}.yaml' é.yaml; do
  echo "from: ['$file']" > "$file"
done
echo "from: ['outside']" > ../../../outside/o.yaml
ln -s b linked
ln -s ../../../outside away
ln -s . itself
ln -s ../../../outside/o.yaml file.yaml
mkdir directory.yaml
cd ../../..
while read -r pattern; do
  printf "## %s\n" "$pattern"
  printf "%s\n" "{version: 5, hierarchy: [{name: files, glob: '$pattern'}]}" > envs/production/hiera.yaml
  bunraku lookup from --merge unique --node n --no-facts --environmentpath envs --hiera_config /nonexistent --render-as json 2>&1 || true
done <<'PATTERNS'
*.yaml
**/*.yaml
b/**/*.yaml
**/e/*.yaml
**/e/**/*.yaml
**/**/x.yaml
**/x.yaml
**/b/**
b**/*.yaml
*/*.yaml
*/**/*.yaml
linked/**/*.yaml
away/*.yaml
away/**/*.yaml
{z,b,a}.yaml
{b/c,z}.yaml
{b,a}/**/*.yaml
**/*.{yml,yaml}
**/{x,0}.yaml
{z,{b,a},{b/{e/x,c},a/0}}.yaml
{,b/}a.yaml
{}a.yaml
{a.yaml
a}.yaml
{*,a}.yaml
*/{c,a,0}.yaml
*/{c,a,0}.y*
**/{c,a,0}.y*
**/{c,a,*}.yaml
{b,a}/{c,0,a}.{x,yaml}
**/{b,a}/{c,0,a}.yaml
{b,a}/*/{x,y}.yaml
[ab].yaml
[^a].yaml
[!a].yaml
[a-b]/[^0].yaml
?.yaml
[é].yaml
[^é].yaml
.*.yaml
.?.yaml
.h/*.yaml
**/.h/*.yaml
.h/**/*.yaml
**/.k.yaml
b/../[az].yaml
b//*.yaml
**//x.yaml
./**/x.yaml
b/\[n\].*
b/\{m\}.y*
\a.y*
*.yaml/
*/
**/
**
a.yaml/**/*
nosuch/**/*.yaml
PATTERNS
