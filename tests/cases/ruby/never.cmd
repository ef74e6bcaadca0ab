# Without Ruby: the file and module that need it.
ask() {
  bunraku eval --environmentpath "$CASE" --environment environment --vardir vardir "$@" 2>&1 || true
}
for code in "m::add(1)" "m_old(1)" "m_plain { 'a': }"; do
  ask --ruby never -e "$code"
done
mkdir bin
ln -s "$(command -v bunraku)" bin/
(PATH=$PWD/bin; ask -e "m::add(1)")
# A worker's description of a type is cached: the second time no Ruby is needed.
for mode in auto never; do
  ask --ruby $mode -e "defined('m_plain')"
done
# No delay.
mkdir -p slow/modules/slow/lib/puppet/functions
echo 'modulepath = modules' > slow/environment.conf
echo 'Puppet::Functions.create_function(:slow) { def slow; loop {}; end }' > slow/modules/slow/lib/puppet/functions/slow.rb
bunraku eval --ruby-timeout 0.3 --environmentpath . --environment slow -e "slow()" 2>&1 || true
bunraku eval --ruby-timeout none -e 1 2>&1 | head -n 1
bunraku eval --ruby sometimes -e 1 2>&1 | head -n 1
