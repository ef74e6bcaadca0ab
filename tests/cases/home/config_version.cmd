# case: oracle=no differs=D710
# A config_version command that needs a deployed environment fails in a repository that is found by itself.
unset XDG_CONFIG_HOME
TOP=$PWD
ask() {
  echo "## $*"
  status=0
  bunraku "$@" --log-format text > "$TOP/answer" 2> "$TOP/messages" || status=$?
  sed "s#$TOP#TOP#g" "$TOP/messages"
  sed -nE 's/^ *"version": (.*),/version \1/p' "$TOP/answer" | sed -E 's/[0-9]{10}/TIME/'
  test "$status" = 0 || echo "exit $status"
}
mkdir -p environments/blue/manifests environments/blue/facts
cd environments/blue
printf '#!/bin/sh\necho "no /srv/code/$1" >&2\nexit 3\n' > version.sh
chmod +x version.sh
printf '# settings\nmodulepath = modules\nconfig_version = version.sh $environment\n' > environment.conf
echo 'notify { "a": }' > manifests/site.pp
for node in a b; do echo '{}' > "facts/$node.yaml"; done

ask catalog compile a
bunraku catalog compile a 2>&1 > /dev/null | sed "s#$TOP#TOP#g"
echo "# of many nodes one warning"
ask fleet compile
grep -c Warning "$TOP/answer" || true
ask fleet compile --cache "$TOP/cache"
ask catalog compile a --environment . --config_version /bin/false
ask catalog compile a --config_version ''
ask catalog compile a --config_version '/bin/echo from the command line'

echo "# on the environment path it is an error, as in the reference"
ask catalog compile a --environmentpath "$TOP/environments" --environment blue --facts facts
bunraku catalog compile a --environmentpath "$TOP/environments" --environment blue --facts facts 2>&1 | sed "s#$TOP#TOP#g"
ask catalog compile a --environmentpath "$TOP/environments" --environment blue --facts facts --config_version ''

echo "# bunraku.toml goes before environment.conf"
printf '[settings]\nconfig_version = ""\n' > bunraku.toml
ask catalog compile a
printf '[settings]\nconfig_version = "/bin/echo $environment of the repository"\n' > bunraku.toml
ask catalog compile a
bunraku config print config_version --show-origin | sed "s#$TOP#TOP#g"
bunraku eval --node a -e '$settings::config_version'
