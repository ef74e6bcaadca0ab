# A drawing of a catalog, without Sensitive values.
bunraku catalog compile n -e 'class a { file { "/a": content => "x", require => Notify["n"] } } include a
notify { "n": } ~> exec { "/bin/true": } file { "/s": content => Sensitive("hidden") }' > c.json 2> /dev/null
bunraku catalog graph c.json
bunraku catalog graph c.json --format html > page.html
grep -c 'hidden"' page.html || echo 'nothing Sensitive'
grep -o '"sensitive":\["content"\]' page.html
grep -cE '(src|href)=' page.html || echo 'nothing from outside'
mkdir environments && ln -s "$CASE/small" environments/production
bunraku catalog graph --node web1.example.com --facts "$CASE/facts/web1.example.com.yaml" --environmentpath environments | grep -c ' -> '
bunraku catalog graph || echo "exit $?"
bunraku catalog graph nothing.json || echo "exit $?"
# For a compiled node the page also contains the output of `catalog why`, without values and code.
mkdir -p own/production/manifests && cat > own/production/manifests/site.pp <<'EOF'
class outer { include inner }
class inner($p = Sensitive('hidden')) { @file { '/s': content => $p } File <| title == '/s' |> { mode => '0600' } }
include outer
EOF
bunraku catalog graph --node n --no-facts --environmentpath own --format html > page.html
grep -c hidden page.html || echo 'nothing Sensitive'
grep -oE '"kind":"(container|include|collector|variable|parameter_default)"(,"name":"[^"]*")?' page.html | sort -u
echo 'fail("no")' > own/production/manifests/site.pp
bunraku catalog graph --node n --no-facts --environmentpath own || echo "exit $?"
