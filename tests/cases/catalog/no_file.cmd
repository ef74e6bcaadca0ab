# Resources of code that comes from no file have a file without a name, as in the reference's catalogs; those that no code declares
# have none.
show='JSON.parse(STDIN.read)["resources"].each { |resource| puts JSON.generate(resource.slice("type", "title", "file", "line")) }'
printf "notify { 'from a file': }\n" > site.pp
bunraku catalog compile n.example.com site.pp | ruby -rjson -e "$show"
bunraku catalog compile n.example.com -e "class c { notify { 'from no file': } } include c" | ruby -rjson -e "$show"
# What a function declares has the name that the reference's call stack has for code without a file.
bunraku catalog compile n.example.com -e "
define d { notify { \"in \$title\": } create_resources('notify', { \"of \$title\" => {} }) }
create_resources('d', { 'a define' => {} })
create_resources('@notify', { 'virtual' => {} }) Notify <| |>
class k { notify { 'in a class': } } create_resources('class', { 'k' => {} })" | ruby -rjson -e "$show"
# So it has in messages.
bunraku catalog compile n.example.com --log-format one-line -e "create_resources('notify', { 'a' => {} })
notify { 'a': }"
