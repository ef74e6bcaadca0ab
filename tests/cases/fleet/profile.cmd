# Profiling: a trace for viewers, and a table.
mkdir environments && ln -s "$CASE/small" environments/production
bunraku fleet compile "$CASE/facts" --only 'web*' --environmentpath environments --summary --profile trace.json 2> table > /dev/null
head -c 16 trace.json; echo
for kind in node file resource function lookup template; do grep -o "\"cat\":\"$kind\"" trace.json | head -n 1; done
grep -oE '[0-9]+  (site::motd::text|site::web|epp)$' table
grep -oE 'times  .*' table
