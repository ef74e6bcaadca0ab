# What code of types calls: each line of code is a resource that logs its result.
# case: timeout=120 oracle=no
mkdir -p conf code/environments/production
echo '{"kernel": "Linux"}' > facts.json
call() {
  bunraku apply --confdir "$PWD/conf" --vardir "$PWD/var" --codedir "$PWD/code" --publicdir "$PWD/pub" --modulepath "$CASE/ruby_types/modules" \
    --facts facts.json --certname node.example.com "$@" 2>&1 | sed 's,/Stage\[main\]/Main/Kit_call\[.*\]/,,' | grep -v 'Compiled\|Applied\|^Debug: [^o]' || true
}
call -e "
kit_call { [
  'v = Puppet::Parameter::ValueCollection.new; v.newvalues(:a, /^b/); [v.validate(:a), v.validate(%q(bb)), (v.validate(:c) rescue \$!.message)]',
  'raise Puppet::Resource::Catalog::DuplicateResourceError.new(%q(twice), %q(a.pp), 3) rescue [\$!.is_a?(Puppet::Error), \$!.message, \$!.line]',
  '2.times { Puppet::Util::Warnings.notice_once(%q(one)) }; 2.times { Puppet::Util::Warnings.warnonce(%q(two)) }',
  'Puppet::Util::Warnings.debug_once(%q(only debugging))',
  '[%q(), %q(a: b), %q(~)].map { |text| Puppet::Util::Yaml.safe_load(text) }',
  'Puppet::SSL::SSLProvider.new.create_insecure_context.verify_peer',
  'Puppet::SSL::SSLProvider.new.create_system_context(cacerts: []).store.class',
]: }"
