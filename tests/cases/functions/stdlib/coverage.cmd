# Every function of the standard library, in the installed and in later versions, is called by at least one of the cases in this directory,
# which is checked by name.
{
  for module in /usr/share/puppet/modules/stdlib "$CASE/../stdlib9/environment/modules/stdlib"; do
    for folder in lib/puppet/functions lib/puppet/parser/functions functions; do
      [ -d "$module/$folder" ] || continue
      (cd "$module/$folder" && find -L . -name '*.rb' -o -name '*.pp') | sed 's,^\./,,;s,/,::,g;s/\.[a-z]*$//'
    done
  done
} | sed 's/^deferrable_epp$/stdlib::deferrable_epp/;s/^ensure$/stdlib::ensure/' | sort -u > names
cat "$CASE"/*.cases "$CASE"/../*.cases "$CASE"/../stdlib9/*.cases > cases
[ "$(wc -l < names)" -gt 180 ] || echo "only $(wc -l < names) names"
while read -r name; do
  grep -qE "(^|[^a-z0-9_:])$name\(" cases || echo "no case calls $name"
done < names
echo done
