# A template rendered from the command line can use the definitions of the environment's manifests, which are not evaluated.
mkdir -p envs/production/manifests
render() {
  echo "# $1 | $2"
  printf '%s\n' "$1" > envs/production/manifests/site.pp
  bunraku epp render -e "$2" --environmentpath envs 2>&1 | sed "s,$PWD,<here>,g"
  echo
}
render 'function x() { "hi" } notice("not evaluated") $v = 1' '<%= x() %>'
render '$v = 1' '<%= $v %>'
render 'type T = Integer' '<%= 1 =~ T %>'
render 'node x { fail("no") } class c { notice("in c") } fail("no")' 'text <% if defined("c") { %>yes<% } %>'
render 'function f() { g() }' '<%= f() %>'
render 'class {' 'x'
render 'notice(1) $x =' 'x'
render 'node n { }' 'x'
