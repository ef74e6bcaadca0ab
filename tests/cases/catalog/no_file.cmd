# Resources of code without a file have an empty file name, as in the reference's catalogs; resources that are not declared in code have no
# file name at all. This is checked in the catalog.
show='JSON.parse(STDIN.read)["resources"].each { |resource| puts JSON.generate(resource.slice("type", "title", "file", "line")) }'
printf "notify { 'from a file': }\n" > site.pp
bunraku catalog compile n.example.com site.pp | ruby -rjson -e "$show"
bunraku catalog compile n.example.com -e "class c { notify { 'from no file': } } include c" | ruby -rjson -e "$show"
# For declarations by functions, the file is the name that the reference's call stack uses for code without a file.
bunraku catalog compile n.example.com -e "
define d { notify { \"in \$title\": } create_resources('notify', { \"of \$title\" => {} }) }
create_resources('d', { 'a define' => {} })
create_resources('@notify', { 'virtual' => {} }) Notify <| |>
class k { notify { 'in a class': } } create_resources('class', { 'k' => {} })" | ruby -rjson -e "$show"
# The same applies to messages.
bunraku catalog compile n.example.com --log-format one-line -e "create_resources('notify', { 'a' => {} })
notify { 'a': }"
