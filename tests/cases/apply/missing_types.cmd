# A type that does not exist on this host fails only its own resources, and so does an unsuitable provider.
# case: differs=D491 oracle=no timeout=60
mkdir -p conf
settings="--confdir $PWD/conf --vardir $PWD/var --codedir $PWD/code --publicdir $PWD/pub"
cat > catalog.json <<'END'
{"name": "n", "version": 1, "catalog_format": 2, "environment": "production", "tags": [], "classes": [], "edges": [],
 "resources": [
  {"type": "Novel", "title": "one", "kind": "compilable_type", "tags": [], "exported": false, "parameters": {"author": "x", "before": "Notify[after]"}},
  {"type": "Novel", "title": "two", "kind": "compilable_type", "tags": [], "exported": false},
  {"type": "Notify", "title": "beside", "kind": "compilable_type", "tags": [], "exported": false},
  {"type": "Notify", "title": "after", "kind": "compilable_type", "tags": [], "exported": false}]}
END
bunraku apply --catalog catalog.json $settings --certname n 2>&1 | grep -v Applied
