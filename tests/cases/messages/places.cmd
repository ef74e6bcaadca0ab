# Mistakes are shown with their source line, also on a pipe, and labels show related places.
# case: oracle=no
mkdir -p environments/production
show() { bunraku "$@" --log-format text 2>&1 || true; }
# The first declaration.
printf "notify { 'a': }\n\nnotify { 'a': }\n" > twice.pp
show catalog compile n --environmentpath "$PWD/environments" --manifest "$PWD/twice.pp"
# The beginning of an unterminated string.
printf '$a = 1\n$b = "one\nnotice($b)\n' > open.pp
show parser validate open.pp
# Each of several mistakes.
printf '$a = [1, 2\n$b = }\nnotice $a )\n' > several.pp
show catalog compile n --environmentpath "$PWD/environments" --manifest "$PWD/several.pp"
# Data, and missing keys.
mkdir -p environments/production/data
printf 'version: 5\nhierarchy:\n  - name: common\n    path: common.yaml\n' > environments/production/hiera.yaml
printf 'port: 80\nname: "web\n' > environments/production/data/common.yaml
show lookup port --environmentpath "$PWD/environments"
printf 'port: 80\n' > environments/production/data/common.yaml
show lookup prot --environmentpath "$PWD/environments"
printf '$port = lookup("prot")\n' > asks.pp
show catalog compile n --environmentpath "$PWD/environments" --manifest "$PWD/asks.pp"
printf 'version: 5\nhierarchy: [\n' > environments/production/hiera.yaml
show lookup port --environmentpath "$PWD/environments"
# A token of one megabyte.
{ printf "\$a = 1 '"; head -c 1000000 /dev/zero | tr '\0' x; printf "'\n"; } > long.pp
show parser validate long.pp | cut -c 1-600 | head -3
