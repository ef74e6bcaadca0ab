# Profiling: a trace for viewers, and a table.
mkdir environments && ln -s "$CASE/small" environments/production
bunraku fleet compile "$CASE/facts" --only 'web*' --environmentpath environments --summary --profile trace.json 2> table > /dev/null
head -c 16 trace.json; echo
for kind in node file resource function lookup template; do grep -o "\"cat\":\"$kind\"" trace.json | head -n 1; done
grep -oE '[0-9]+  (site::motd::text|site::web|epp)$' table
grep -oE 'times  .*' table

# What runs in Ruby, with the reason.
mkdir -p modules/m/lib/puppet/functions/m
cat > modules/m/lib/puppet/functions/m/packed.rb <<'RUBY'
Puppet::Functions.create_function(:'m::packed') do
  def packed
    [66].pack('C')
  end
end
RUBY
mkdir -p none/production
bunraku catalog compile web01 --environmentpath none -e 'notify { m::packed(): }' --no-facts --modulepath modules --profile ruby.json 2> table > /dev/null
grep -oE 'The function .*' table
