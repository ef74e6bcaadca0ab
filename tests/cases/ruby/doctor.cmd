bunraku module doctor --environmentpath "$CASE" environment | sed -n '3,$p'
bunraku module doctor --environmentpath "$CASE" environment --format json | grep -c '"kind": "resource type"'
# The environment's own modules come first, others only on request; paths are relative to the current directory.
mkdir -p system/aa/lib/puppet/functions production/modules/zz/manifests
echo 'Puppet::Functions.create_function(:aa) { def aa; end }' > system/aa/lib/puppet/functions/aa.rb
echo 'class zz { include nowhere }' > production/modules/zz/manifests/init.pp
mkdir -p production/manifests
echo 'include nothing' > production/manifests/site.pp
echo "modulepath = ../system:modules" > production/environment.conf
bunraku module doctor --environmentpath . | sed 's/Ruby: .*/Ruby: …/'
cd production
bunraku module doctor --all-modules | sed '/Ruby: /d'
# A name that is used in several places has one line; modules of the Puppetfile that are not installed are listed.
echo 'class zz { include nowhere include sudo } class zz::more { include sudo sudo::conf { "a": } }' > modules/zz/manifests/init.pp
echo 'class zz::other { include sudo }' > modules/zz/manifests/other.pp
echo "mod 'saz-sudo', '8.0.0'" > Puppetfile
bunraku module doctor 2>&1 | sed '/Ruby: /d; /^Not shown/d'
# A name in a template that is neither a variable nor a method is a mistake, and no reason for Ruby. `tags` is a method of Puppet's.
rm Puppetfile
mkdir -p modules/zz/templates
echo '<% @lines.each do |line| %><%= line %><%= lines.size %><% end %>' > modules/zz/templates/mistaken.erb
echo '<% if @a %><%= lines %><%= tags.size %><% end %>' > modules/zz/templates/ruby.erb
bunraku module doctor | sed -n '/^zz/,$p' | sed '/^Not shown/d'
bunraku module doctor --format json | grep -A 4 '"variable or method"'
