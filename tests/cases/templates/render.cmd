# Files, text and values for rendering templates.
# case: timeout=120
mkdir -p modules/m/templates
echo 'module <%= $x %>' > modules/m/templates/a.epp
echo 'file <%= $x %>' > a.epp
echo 'plain' > b.epp
printf '<%%- | Integer $x, $y = 5 | -%%>\n<%%= $x %%> <%%= $y %%>\n' > parameters.epp
printf 'x <%%= $x\n' > unbalanced.epp
printf '<%%= fail("no") %%>\n' > fails.epp
printf '<%%= Sensitive("secret") %%>\n' > sensitive.epp
echo 'x: 7' > x.yaml
echo '{"x": 8}' > x.json
echo '{ x => 9 }' > x.pp
echo '$global = 3 undef' > variable.pp
echo '[1]' > list.yaml
: > empty.yaml
echo ': : no' > bad.yaml
echo 'fail("x")' > fails.pp
render() {
  echo "## $*"
  status=0
  bunraku epp render "$@" --modulepath modules --environmentpath . > text 2> log || status=$?
  sed "s,$PWD,<folder>," log
  cat text
  [ -z "$(tail -c 1 text)" ] || echo
  [ "$status" = 0 ] || echo "-> $status"
}
render a.epp --values '{x => 1}'
render m/a.epp --values '{x => 1}'
render m/a --values '{x => 1}'
render ./a.epp b.epp m/a.epp --values '{x => 1}'
render a.epp b.epp --values '{x => 1}' --no-header
render parameters.epp --values '{x => 1}'
render parameters.epp
render parameters.epp --values '{x => a}'
render parameters.epp --values '{x => 1, z => 2}'
render sensitive.epp
render unbalanced.epp
render fails.epp
render a.epp b.epp fails.epp
render m/nope.epp
render nope
render /nope.epp b.epp
render a.epp -e text
echo 'input <%= $x %>' | render --values '{x => 1}'
render -e '<%= $x %>'
render -e '<%= $x'
render -e '<%= $x %>' --values undef
render -e '<%= $y %>' --values '$y = 4 undef'
render -e '<%= $a::b %>' --values '{"a::b" => 3}'
render -e '<%= $b %>' --values '{"::b" => 3}'
render -e '<%= $b %>' --values '{1 => 3}'
render -e '<%| $a |%><%= $a %>' --values '{}'
render -e '<%| $a = 2 |%><%= $a %>' --values '{a => 1}'
render -e text --values '[1]'
render -e text --values 'nope('
render -e text --values 'fail("x")'
render -e '<%= $x %>' --values_file x.yaml
render -e '<%= $x %>' --values_file x.json
render -e '<%= $x %>' --values_file x.pp
render -e '<%= $x %><%= $z %>' --values_file x.yaml --values '{z => 10}'
render -e '<%= $x %>' --values_file x.yaml --values '{x => 10}'
render -e '<%= $x %>' --values_file x.yaml --values undef
render -e '<%= $global %>' --values_file variable.pp
render -e text --values_file list.yaml
render -e text --values_file empty.yaml
render -e text --values_file bad.yaml
render -e text --values_file fails.pp
render -e text --values_file nope.yaml
render -e text --values_file x.txt
