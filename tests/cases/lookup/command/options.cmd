# Every option of lookup that changes its answer, rendered as the reference renders it. Its answers
# were compared with those of the reference's own command.
mkdir -p production/data
cat > production/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - {name: node, path: "%{facts.role}.yaml"}
  - {name: all, path: all.yaml}
YAML
cat > production/data/all.yaml <<'YAML'
s: "text"
n: 5
u: ~
h: {a: 1, l: [1, "2", x]}
l: [b, a, --c]
YAML
cat > production/data/web.yaml <<'YAML'
h: {b: {c: true}, l: [z, --x]}
l: [c, --b]
YAML
echo '{"role": "web"}' > facts.json
look() {
  echo "## $*"
  status=0
  bunraku lookup --format json --environmentpath . --hiera_config /nonexistent --facts facts.json --node n.example.com "$@" 2>&1 || status=$?
  echo "-> $status"
}
look h --render-as yaml
look h --render-as s
look h --render-as json
look s --render-as yaml
look s --render-as json
look n --render-as yaml
look l --merge unique --render-as yaml
look h --merge deep --render-as yaml
look h --merge deep --knock-out-prefix=-- --sort-merged-arrays --merge-hash-arrays --render-as yaml
look h --merge hash --sort-merged-arrays
look nosuch --default x --render-as yaml
look nosuch s --render-as yaml
look s --type Integer
look u --render-as yaml
look
look h --merge nosuch
look l --merge unique --explain --render-as s
look l --explain-options --render-as s
look s --environment nosuch
