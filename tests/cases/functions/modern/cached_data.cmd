# The content of a file in vardir is used while the file exists. The module's own file is empty here, so that calls
# that are not executed natively fail.
mkdir -p var/app
bunraku_cached() { bunraku eval --environmentpath "$CASE" --environment environment --vardir "$PWD/var" -e "extlib::cache_data('app', '$1', 'new')"; }
printf -- '--- kept\n' >var/app/text
bunraku_cached text
printf -- '--- "with: quotes\\n and \\u00e9"\n' >var/app/quoted
bunraku_cached quoted
printf -- '--- |\n  two\n  lines\n...\n' >var/app/lines
bunraku_cached lines
