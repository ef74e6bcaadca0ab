# Resources of code that comes from no file have a file without a name, as in the reference's catalogs; those that no code declares
# have none.
show='JSON.parse(STDIN.read)["resources"].each { |resource| puts JSON.generate(resource.slice("type", "title", "file", "line")) }'
printf "notify { 'from a file': }\n" > site.pp
bunraku catalog compile n.example.com site.pp | ruby -rjson -e "$show"
bunraku catalog compile n.example.com -e "class c { notify { 'from no file': } } include c" | ruby -rjson -e "$show"
