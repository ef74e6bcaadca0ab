# A process that has loaded Ruby's libraries for one node serves the next one.
# case: oracle=no timeout=120
mkdir -p production/manifests production/modules/m/lib/puppet/functions/m facts
cat > production/modules/m/lib/puppet/functions/m/process.rb <<'RUBY'
Puppet::Functions.create_function(:'m::process') do
  dispatch(:process) { param 'String', :library }

  def process(library)
    require library
    [1].pack('C')
    "process #{Process.pid}"
  end
end
RUBY
echo 'notify { m::process($facts["library"]): }' > production/manifests/site.pp
for library in rubygems open-uri resolv securerandom yaml json set date tempfile openssl net/http socket; do
  rm -rf output
  for node in a b c; do echo "{\"library\": \"$library\"}" > facts/$node.json; done
  bunraku fleet compile facts --environmentpath . --jobs 1 --output output --summary > /dev/null || echo "exit $?"
  printf '%s: %s\n' "$library" "$(cat output/*.json | grep -oE '"title": ?"process [0-9]+' | sort -u | wc -l)"
done

# A process that code has changed ends, and is not given to another node at that moment.
cat > production/modules/m/lib/puppet/functions/m/change.rb <<'RUBY'
Puppet::Functions.create_function(:'m::change') do
  def change
    String.class_eval { define_method(:changed) { 1 } }
    @values = (1..20_000).map(&:to_s)
    'a'
  end
end
RUBY
echo 'notify { m::change(): }' > production/manifests/site.pp
rm -rf facts
mkdir facts
for i in $(seq 100); do echo '{}' > facts/n$i.json; done
bunraku fleet compile facts --environmentpath . --jobs 6 --summary | grep -oE '^100 nodes: .* compiled'
