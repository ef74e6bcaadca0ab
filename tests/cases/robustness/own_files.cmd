# Files that may contain secrets are readable only by their owner; links, pipes and devices are written through and never replaced.
# case: oracle=no
umask 022
mkdir -p production/manifests facts
echo 'notify { lookup("a", { default_value => "b" }): }' > production/manifests/site.pp
echo '{}' > facts/n.json
compile="bunraku catalog compile n --no-facts --environmentpath ."
$compile --explain-file explained.json > /dev/null
bunraku fleet compile facts --environmentpath . --cache cache --output output --profile profile.json --summary > /dev/null 2>&1
stat -c '%a %n' explained.json profile.json output/n.json cache/index cache/catalogs cache/catalogs/n.json
touch target && chmod 644 target && ln -s target link
$compile --explain-file link > /dev/null
stat -c '%F' link; stat -c '%a %s' target | sed 's/ [1-9].*/ not empty/'
mkfifo pipe
cat pipe | wc -c | sed 's/^[1-9].*/read/' &
sleep 0.3
$compile --explain-file pipe > /dev/null
wait
stat -c '%F' pipe
$compile --explain-file /dev/null > /dev/null
stat -c '%F' /dev/null
timeout 10 $compile --explain-file pipe > /dev/null || echo "exit $?"
timeout 10 $compile --explain-file /dev/full > /dev/null || echo "exit $?"
$compile --explain-file /dev/stdout | grep -c '"type"' | sed 's/^[1-9].*/on standard output/'
find . -name '.bunraku*'
