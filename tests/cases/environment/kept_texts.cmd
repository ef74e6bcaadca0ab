# The names of files in modules and their metadata are kept between processes, and used only while files and directories are
# unchanged. Each step modifies the modules and evaluates code twice with what is kept, and once without.
# case: oracle=no
export XDG_CACHE_HOME="$PWD/cache"
modules="$PWD/modules"
for number in $(seq -w 1 40); do
  mkdir -p "$modules/m$number/manifests"
  printf '{"name":"a-m%s","version":"1.0.0","author":"a","license":"x","source":"y","dependencies":[]}' "$number" \
    > "$modules/m$number/metadata.json"
done

legacy_function() { # MODULE TEXT
  mkdir -p "$modules/$1/lib/puppet/parser/functions"
  printf 'module Puppet::Parser::Functions\n  newfunction(:told, type: :rvalue) { |_| "%s" }\nend\n' "$2" \
    > "$modules/$1/lib/puppet/parser/functions/told.rb"
}

answer() { bunraku eval --modulepath "$modules" "$@" -e 'notice(told())' 2>&1 | grep -v '^ *$' | head -n 1; }

# What was modified a moment ago is not kept.
step() { # NAME
  sleep 2.2
  local number
  for number in 1 2; do answer > "answer$number"; done
  XDG_CACHE_HOME=/dev/null answer > fresh
  cmp answer1 fresh && cmp answer2 fresh && printf '%-34s %s\n' "$1" "$(cat fresh)"
}

step 'no module has the function:'
ls cache/bunraku/modules | wc -l
legacy_function m20 'by m20'
step 'a directory was made:'
legacy_function m10 'by m10'
step 'one of an earlier module, too:'
sed -i 's,told\.rb/,,' cache/bunraku/modules/*.txt
printf '%-34s %s\n' 'a listing with another text:' "$(answer)"
rm -r cache
mv "$modules/m10/lib" "$modules/m10/elsewhere"
step 'it has gone:'
mv "$modules/m10/elsewhere/puppet/parser/functions/told.rb" "$modules/m30/told.rb"
mkdir -p "$modules/m05/lib/puppet/parser"
ln -s "$modules/m30" "$modules/m05/lib/puppet/parser/functions"
step 'a link to a directory:'
rm "$modules/m30/told.rb"
step 'what it leads to has changed:'
printf '{' > "$modules/m20/metadata.json"
step 'a mistake in metadata.json:'
rm -r "$modules/m20"
step 'the module has gone:'
