bunraku module doctor --environmentpath "$CASE" environment | sed -n '3,$p'
bunraku module doctor --environmentpath "$CASE" environment --format json | grep -c '"kind": "resource type"'
