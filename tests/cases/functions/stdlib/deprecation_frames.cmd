# A deprecation warning lists the two innermost frames of code; Ruby functions and templates that call it do not count.
mkdir -p modules/m/manifests modules/m/templates modules/m/lib/puppet/functions/m
cat > modules/m/lib/puppet/functions/m/old.rb <<'CODE'
Puppet::Functions.create_function(:'m::old') do
  def old(key)
    call_function('deprecation', key, 'This is old')
  end
end
CODE
cat > modules/m/manifests/init.pp <<'CODE'
class m {
  m::old('from Ruby')
  deprecation('from code', 'This is older')
  [1].each |$number| {
    m::old("in a lambda")
  }
  $text = template('m/old.erb')
  $epp = epp('m/old.epp')
}
CODE
echo "<%= scope.call_function('m::old', ['in a template']) %><%= scope.call_function('deprecation', ['of a template', 'This is oldest']) %>" > modules/m/templates/old.erb
echo "<%= m::old('in EPP') %>" > modules/m/templates/old.epp
printf '\n\ninclude m\n' > site.pp
bunraku catalog compile n site.pp --modulepath modules:/usr/share/puppet/modules --strict warning 2>&1 >/dev/null | grep '^Warning'
