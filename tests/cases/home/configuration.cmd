# case: oracle=no
# bunraku.toml, and the origin of each value.
TOP=$PWD
ask() {
  echo "## $*"
  status=0
  bunraku "$@" --log-format text --vardir "$TOP/var" --basemodulepath "$TOP/base" > "$TOP/answer" 2>&1 || status=$?
  sed "s#$TOP#TOP#g" "$TOP/answer"
  test "$status" = 0 || echo "exit $status"
}
mkdir -p repo/code/a/manifests repo/nodes repo/manifests repo/deep
cd repo
cat > bunraku.toml <<'TOML'
[settings]
modulepath = ["code", "$vardir/shared"]
strict = "warning"
environment = "testing"
[facts]
paths = ["nodes"]
[ignore]
paths = ["*.bak.pp"]
differences = ["*::loglevel"]
[versions]
bunraku = ">= 0.1.0 < 9.0.0"
TOML
echo 'class a { notify { "${facts["role"]} in ${environment}": } }' > code/a/manifests/init.pp
echo 'include a' > manifests/site.pp
echo '{"role": "web"}' > nodes/web01.json
cd deep
bunraku catalog compile web01 | grep '"title": "web'
ask config print modulepath strict environment --show-origin --confdir "$TOP/none"
ask config print modulepath strict environment --show-origin
ask config print strict --show-origin --strict off
ask config print strict --show-origin --format json
ask config print strict
echo 'modulepath = code' > ../environment.conf
printf '[settings]\n' > ../bunraku.toml
ask config print modulepath manifest --show-origin
wrong() {
  printf "$1" > ../bunraku.toml
  ask config print strict
}
wrong '[setings]\n'
wrong '[settings]\nstrickt = "off"\n'
wrong '[settings]\nstrict = 1.5\n'
wrong '[settings\n'
wrong '[facts]\nfolder = "x"\n'
wrong '[versions]\nbunraku = "> 99.0.0"\n'
wrong '[versions]\nbunraku = "soon"\n'
