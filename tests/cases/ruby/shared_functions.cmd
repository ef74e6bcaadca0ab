# Functions in Ruby that several modules define, called by others: a caller finds those of its own module first.
# case: timeout=240
in_ruby() {
  mkdir -p "e/modules/$1/lib/puppet/functions/$1"
  echo "Puppet::Functions.create_function(:'$2') { dispatch(:it) { }; def it; $3; end }" > "e/modules/$1/lib/puppet/functions/$(echo "$2" | sed 's,::,/,').rb"
}
older() {
  mkdir -p "e/modules/$1/lib/puppet/parser/functions"
  echo "module Puppet::Parser::Functions; newfunction(:$2, type: :rvalue) { |_| $3 }; end" > "e/modules/$1/lib/puppet/parser/functions/$2.rb"
}
for m in first second third; do
  in_ruby $m shared "'shared of $m'"
  older $m aged "'aged of $m'"
  in_ruby $m $m::calls "[call_function('shared'), call_function('aged')]"
  older $m ${m}_calls "[call_function('shared', []), call_function('aged', [])]"
  in_ruby $m $m::of_scope "[closure_scope.call_function('shared', []), closure_scope.call_function('aged', [])]"
  mkdir -p e/modules/$m/functions e/modules/$m/manifests
  echo "function $m::language() { [shared(), aged()] }" > e/modules/$m/functions/language.pp
done
echo 'class second { notice(first::calls(), third::calls(), second::calls(), shared(), aged()) }' > e/modules/second/manifests/init.pp
compile() {
  echo "## $1"
  bunraku catalog compile n --environmentpath . --hiera_config /nonexistent --environment e -e "$1" 2>&1 > catalog.json
}
compile 'notice(second::calls())'
compile 'notice(third::calls(), second::calls())'
compile 'notice(third_calls(), second_calls())'
compile 'notice(third::of_scope())'
compile 'notice(second::language(), third::language(), third::calls())'
compile 'notice(aged(), third::language(), third::calls())'
compile 'include second'
