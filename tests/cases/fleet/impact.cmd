# The nodes that a file can affect, and through which read.
mkdir environments && cp -r "$CASE/small" environments/production
cat > environments/production/manifests/more.pp <<'EOF'
@notify { 'virtual': tag => 'a' }
Notify <| tag == 'a' or title != 'b' |>
Notify <<| |>>
realize(Notify['virtual'])
EOF
ln -s /usr/share/puppet/modules/stdlib environments/production/modules/stdlib
echo '$merged = merge({}, {})' >> environments/production/manifests/more.pp
bunraku fleet compile "$CASE/facts" --environmentpath environments --cache cache --only 'web*' --only db1.example.com --summary > /dev/null
cd environments/production
impact() { bunraku fleet impact "$@" --cache ../../cache || echo "exit $?"; }
impact data/common.yaml
impact data/roles/web.yaml modules/site/manifests/db.pp
impact data/nodes/web1.example.com.yaml
impact modules/site/templates/nobody.epp
impact manifests/new.pp
impact "$CASE/facts/web1.example.com.yaml"
sed -i 's/text: hello/text: welcome/' data/common.yaml
impact data/common.yaml --changed --format json
# A function in Ruby with that name would precede the one that was found.
impact modules/site/lib/puppet/parser/functions/merge.rb modules/site/lib/puppet/functions/merge.rb modules/site/lib/puppet/functions/other.rb
# Addresses depend on the machine.
impact --node web1.example.com | grep -E '^(fact|query|absence of lib)' | grep -v '^fact serverip'
impact --node nobody
impact --node web1.example.com x
bunraku fleet impact x || echo "exit $?"
bunraku fleet impact x --cache empty || echo "exit $?"
