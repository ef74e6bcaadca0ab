# What a file of vardir keeps is used as long as it is there. The module's own file here is empty: what is not native is not
# there at all.
mkdir -p var/app
bunraku_cached() { bunraku eval --environmentpath "$CASE" --environment environment --vardir "$PWD/var" -e "extlib::cache_data('app', '$1', 'new')"; }
printf -- '--- kept\n' >var/app/text
bunraku_cached text
printf -- '--- "with: quotes\\n and \\u00e9"\n' >var/app/quoted
bunraku_cached quoted
printf -- '--- |\n  two\n  lines\n...\n' >var/app/lines
bunraku_cached lines
