# The environment's files, and their use instead of Ruby.
cp -r "$CASE/environment" made
rm made/modules/m/lib/puppet/type/m_broken.rb
generate() {
  bunraku generate types --environmentpath . --environment made --vardir vardir "$@" 2>&1 | sed "s:'.*/made:'made:"
}
generate | sort
rm made/modules/m/lib/puppet/type/m_changed.rb made/modules/m/lib/puppet/type/m_trimmed.rb
sed -n '3,$p' made/.resource_types/m_composite.pp
generate
generate --force | wc -l
rm made/modules/m/lib/puppet/type/m_loose.rb
generate
compile() {
  bunraku eval --ruby never --environmentpath . --environment made -e "$1" 2>&1 | head -n "$2"
}
compile "m_composite { 'one/two': value => 1 } M_composite['one/two']['value']" 2
compile "m_plain { 'a': none => 1 }" 1
