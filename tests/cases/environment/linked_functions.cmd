# Below a module's directories of functions and data types, directories that are links are not entered, and files that are links are read.
mkdir -p envs/production/modules/m outside/functions outside/types outside/ruby outside/legacy
cd envs/production/modules/m
mkdir -p functions/real types/real lib/puppet/functions/m/real lib/puppet/parser
echo 'function m::real::f() { "real" }' > functions/real/f.pp
echo 'type M::Real::T = Integer' > types/real/t.pp
printf "Puppet::Functions.create_function(:'m::real::g') do\n  def g\n    'real'\n  end\nend\n" > lib/puppet/functions/m/real/g.rb
cd ../../../..
echo 'function m::linked::f() { "linked" }' > outside/functions/f.pp
echo 'function m::file() { "a linked file" }' > outside/file.pp
echo 'type M::Linked::T = Integer' > outside/types/t.pp
printf "Puppet::Functions.create_function(:'m::linked::g') do\n  def g\n    'linked'\n  end\nend\n" > outside/ruby/g.rb
printf "Puppet::Parser::Functions.newfunction(:legacy, type: :rvalue) { |arguments| 'below a linked directory of functions' }\n" > outside/legacy/legacy.rb
ln -s "$PWD/outside/functions" envs/production/modules/m/functions/linked
ln -s "$PWD/outside/file.pp" envs/production/modules/m/functions/file.pp
ln -s "$PWD/outside/types" envs/production/modules/m/types/linked
ln -s "$PWD/outside/ruby" envs/production/modules/m/lib/puppet/functions/m/linked
ln -s "$PWD/outside/legacy" envs/production/modules/m/lib/puppet/parser/functions
while read -r code; do
  echo "## $code"
  bunraku catalog compile n --no-facts --environmentpath envs -e "notify { String($code): }" > catalog.json 2> error && grep -A 1 '"type": *"Notify"' catalog.json | grep title
  cat error
done <<'CODE'
m::real::f()
m::linked::f()
m::file()
1 =~ M::Real::T
1 =~ M::Linked::T
m::real::g()
m::linked::g()
legacy()
CODE
