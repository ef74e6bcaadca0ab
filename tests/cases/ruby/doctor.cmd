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
