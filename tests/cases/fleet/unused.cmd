# Code and data that no node uses.
mkdir environments && cp -r "$CASE/small" environments/production
sed -i 's/size: 5/size: 3/' environments/production/data/roles/db.yaml
echo 'a: 1' > environments/production/data/roles/gone.yaml
mkdir environments/production/modules/site/files/tree && echo x > environments/production/modules/site/files/tree/leaf
sed -i "s|^  service|  file { '/tree': source => 'puppet:///modules/site/tree', recurse => true }\n  service|" environments/production/modules/site/manifests/web.pp
bunraku fleet unused "$CASE/facts" --environmentpath environments
bunraku fleet unused "$CASE/facts" --environmentpath environments --only 'web*' --format json | grep -c '"kind"'

# In Ruby: calls from manifests, templates and Ruby count as uses, and so do templates that are rendered there.
mkdir -p ruby/production/manifests ruby/production/modules/r/lib/puppet/functions/r ruby/production/modules/r/lib/puppet/parser/functions ruby/production/modules/r/lib/puppet/type ruby/production/modules/r/templates
cd ruby/production/modules/r
for name in called indirect nobody; do printf 'Puppet::Functions.create_function(:"r::%s") do\n  def %s\n    %s\n  end\nend\n' $name $name "$([ $name = called ] && echo "call_function('r::indirect')" || echo "'$name'")" > lib/puppet/functions/r/$name.rb; done
for name in old_called old_nobody; do printf 'Puppet::Parser::Functions.newfunction(:%s, type: :rvalue) { |a| "old" }\n' $name > lib/puppet/parser/functions/$name.rb; done
for name in mine others; do printf 'Puppet::Type.newtype(:%s) do\n  newparam(:name, namevar: true)\nend\n' $name > lib/puppet/type/$name.rb; done
echo '<%= [1].each_slice(1).map { |x| ObjectSpace.class }.inspect + scope.function_template(["r/inner.erb"]) %>' > templates/outer.erb
echo '<%= scope.function_old_called([]) %>' > templates/inner.erb
echo 'nobody' > templates/nobody.erb
cd ../../../..
echo 'notify { r::called(): } mine { "m": } notify { template("r/outer.erb"): }' > ruby/production/manifests/site.pp
bunraku fleet unused "$CASE/facts" --environmentpath ruby --only 'web*'
bunraku fleet unused "$CASE/facts" --environmentpath ruby --only 'web*' --format json | grep nodes_with_ruby
bunraku fleet compile "$CASE/facts" --environmentpath ruby --only 'web*' --cache cache | sed -E 's/ +[0-9.]+ ms//; s/; [0-9,]+ resources.*//'

# When a node fails, the causes are shown, with the effect on the result; when all fail, there is no result.
mkdir -p broken/production/modules/a/manifests broken/production/manifests
echo 'class a { }' > broken/production/modules/a/manifests/init.pp
echo 'class a::b { }' > broken/production/modules/a/manifests/b.pp
echo 'if $facts["networking"]["hostname"] =~ /^web/ { fail("not here") } include a' > broken/production/manifests/site.pp
bunraku fleet unused "$CASE/facts" --environmentpath broken --only 'web*' || echo "exit code $?"
cd broken/production
bunraku fleet unused "$CASE/facts" --environmentpath .. || echo "exit code $?"
bunraku fleet unused "$CASE/facts" --environmentpath .. --format json 2> /dev/null > unused.json || grep -E '"(nodes|failed)"' unused.json
# Missing modules may be the reason.
cd ../..
mkdir -p missing/manifests
touch missing/environment.conf
echo "mod 'puppetlabs/nginx'" > missing/Puppetfile
echo 'nginx::site { "a": }' > missing/manifests/site.pp
cd missing
bunraku fleet unused "$CASE/facts" --only 'web*' || echo "exit code $?"
