# The location of an environment: on several paths, by its name, behind links.
# case: timeout=240
mkdir -p one/shared/manifests two/shared/manifests two/second/manifests two/Upper_1/manifests two/with-dash/manifests two/1st/manifests \
  two/environment/manifests two/_/manifests 'two/a b/manifests' two/é/manifests versions/v7/manifests two/main/manifests two/agent/manifests two/root/manifests
for folder in one/shared two/shared two/second two/Upper_1 two/with-dash two/1st two/environment two/_ 'two/a b' two/é versions/v7 two/main two/agent two/root; do
  echo 'notice("'"$folder"' ${environment} ${settings::environment} ${settings::manifest} ${settings::modulepath}")' > "$folder/manifests/site.pp"
done
echo 'not a folder' > two/file
ln -s ../versions/v7 two/linked
ln -s "$PWD/versions/v7" two/absolute
ln -s nowhere two/dangling
ln -s linked two/twice
ask() {
  echo "## $*"
  bunraku catalog compile n --no-facts --environmentpath "${paths:-one:two}" --basemodulepath base --hiera_config /nonexistent "$@" 2>&1 > catalog.json |
    sed "s,$PWD,<here>,g"
  grep -o '"environment": *"[^"]*"' catalog.json || true
  grep -o '"file": *"[^"]*"' catalog.json | sed "s,$PWD,<here>,g" | sort -u
}
for name in shared second Upper_1 with-dash 1st environment _ 'a b' é file nosuch '' . .. main agent root linked absolute dangling twice; do
  ask --environment "$name"
done
paths=two:one ask --environment shared
paths=nosuch:two ask --environment second
paths="$PWD/two/" ask --environment second
paths=two/../one ask --environment shared
paths=: ask --environment shared
paths=nosuch ask --environment shared
echo '# versioned_environment_dirs'
for name in linked absolute dangling twice second; do
  ask --environment "$name" --versioned_environment_dirs
done
ask --environment linked --no-versioned_environment_dirs
