# The variables of a class that cannot be loaded are unknown; only `defined` says why.
mkdir -p m/manifests
echo 'class m::types(M::Missing $p = 1) { }' > m/manifests/types.pp
echo 'class m::twice($p, $p) { }' > m/manifests/twice.pp
echo 'class m::elsewhere { } class other::c { }' > m/manifests/elsewhere.pp
compile() {
  code=$1
  shift
  echo "-- $code $*"
  bunraku catalog compile n --no-facts --modulepath . "$@" -e "$code" 2>&1 |
    sed -n 's|file: .*/m/|file: m/|; /^ *"message"/p; /^[A-Z]/p'
}
for class in types twice elsewhere; do
  compile "notice(\$m::$class::p)"
  compile "notify { 'n': message => \"(\${m::$class::p})\" }" --set strict=warning --set strict_variables=false
  compile "notify { 'n': message => \"(\${getvar('m::$class::p')})\" }"
  compile "notice(defined('\$m::$class::p'))"
done
compile 'notice(inline_template("<%= scope[%q(m::types::p)] %>"))'
compile 'notice(inline_template("<%= scope[%q(m::types::p)] %>"))' --set strict=warning
compile 'include m::types'
echo '-- what people see'
bunraku catalog compile n --no-facts --modulepath . -e 'notice($m::twice::p)' --log-format text 2>&1 | grep note | sed 's|file: .*/m/|file: m/|'
