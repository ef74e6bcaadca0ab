# Paths as written in hiera.yaml; options that follow from a module's key; keys that begin with ::.
mkdir -p production/data/sub production/modules/m/other
cat > production/hiera.yaml <<'YAML'
version: 5
defaults: {datadir: ./data/.}
hierarchy:
  - {name: within, path: "a//../%{facts.role}/./b.yaml"}
  - {name: leading, paths: ["./sub/one.yaml", "../data/one.yaml", "sub//one.yaml", "./../../x.yaml"]}
  - {name: globbed, glob: "./sub/../s*/*.yaml"}
  - {name: mapped, mapped_paths: [facts.list, item, "../data/sub/%{item}.yaml"]}
  - {name: home, path: "~/x.yaml"}
YAML
echo 'c: found' > production/data/sub/one.yaml
cat > production/modules/m/hiera.yaml <<'YAML'
version: 5
hierarchy:
  - {name: none, path: none.yaml}
default_hierarchy:
  - {name: default, datadir: other, path: default.yaml}
YAML
echo 'm::b: "b %{lookup(\"c\")}"' > production/modules/m/other/default.yaml
echo '{"role": "web", "list": ["one"]}' > facts.json
look() {
  echo "## $*"
  bunraku lookup --environmentpath . --hiera_config /nonexistent --facts facts.json --node n.example.com --render-as s --explain "$@" 2>&1 | sed "s,$PWD,<folder>,"
}
look c
look m::b
look ::c
