# case: oracle=no
# The default sources of facts.
TOP=$PWD
ask() {
  echo "## $*"
  status=0
  bunraku "$@" --log-format text --vardir "$TOP/var" --basemodulepath "$TOP/base" > "$TOP/answer" 2>&1 || status=$?
  sed "s#$TOP#TOP#g" "$TOP/answer"
  test "$status" = 0 || echo "exit $status"
}
title() { bunraku "$@" --vardir "$TOP/var" | sed -n 's/.*"title": "\(role.*\)".*/\1/p'; }
mkdir -p repo/manifests repo/facts elsewhere var/yaml/facts
cd repo
touch environment.conf
echo 'notify { "role ${facts["role"]}": }' > manifests/site.pp
echo 'role: from the repository' > facts/web01.example.com.yaml
echo '{"role": "from elsewhere"}' > "$TOP/elsewhere/web01.example.com.json"
echo 'role: kept by a server' > "$TOP/var/yaml/facts/web02.example.com.yaml"
title catalog compile web01.example.com
title catalog compile web01.example.com --facts "$TOP/elsewhere"
title catalog compile web01.example.com --facts "$TOP/elsewhere/web01.example.com.json"
title catalog compile web02.example.com
title catalog compile web03.example.com --no-facts --strict_variables false --strict off
ask catalog compile web03.example.com
ask catalog compile web03.example.com --facts "$TOP/elsewhere"
ask catalog compile ../facts/web01.example.com
ask lookup x --node web03.example.com
ask catalog why web03.example.com 'Notify[a]'
cd "$TOP"
ask lookup x --node web03.example.com --environment ./repo
echo "## code needs none"
bunraku catalog compile web03.example.com -e 'notify { "role": }' | grep '"title": "role"'
echo "## nodes of the repository are a fleet"
cd repo
bunraku fleet compile | tail -1 | sed 's/ in .*//'
echo "## samples"
ask facts sample
ask facts sample debian-13
ask facts sample debian12
for system in almalinux-9 debian-12 ubuntu-24.04 windows-2022; do
  bunraku facts sample "$system" --node web03.example.org --save > /dev/null
  bunraku eval --node web03.example.org --format text -e '"${facts[os][name]} ${facts[os][release][major]} ${facts[networking][fqdn]} ${facts[networking][hostname]} ${facts[networking][domain]} ${facts[networking][ip]}"'
done
ask facts sample debian-12 --save
echo "## facts of the node in the repository are not lost"
ask facts sample debian-12 --node web01.example.com --save
echo '{"role": "from a store"}' > facts/web07.example.com.json
ask facts sample debian-12 --node web07.example.com --save
cat facts/web07.example.com.json
ask facts sample debian-12 --node web05.example.com --into "$TOP/elsewhere"
ask facts sample debian-12 --node ../web05 --save
