# A secret in facts, data, parameters, templates and code does not occur in any output except the catalog itself.
# case: oracle=no timeout=120
secret=Sunflower-4711-hidden
keys="$CASE/../lookup/secrets/production/keys"
mkdir -p production/manifests production/data production/modules/m/manifests production/modules/m/templates production/modules/m/lib/puppet/functions/m facts
cat > production/hiera.yaml <<YAML
version: 5
hierarchy:
  - name: secrets
    path: secrets.yaml
    lookup_key: eyaml_lookup_key
    options: {pkcs7_private_key: $keys/private.pem, pkcs7_public_key: $keys/public.pem}
YAML
cat > production/data/secrets.yaml <<'YAML'
lookup_options:
  m::password: {convert_to: Sensitive}
m::password: ENC[PKCS7,MIIBnAYJKoZIhvcNAQcDoIIBjTCCAYkCAQAxggE0MIIBMAIBADAYMAACFAhxTdg1pelOcuLl6334iKNfF7T6MA0GCSqGSIb3DQEBAQUABIIBAFuleg2oF8F6u1BJJ436hoalSRrR7M2urvjIM0lIAHH7QC8ek67M+2DABWFAYlgNVwo11P05/Ql2hRClhM76gXL02jTbLrzQiQE+VYEN6spgKTU+wNelU8xSQzZy9tLFP1/y3/v4aur/oRUR7JR+z8Xo3/aqhdulSZOC9X2vC/w2GyNaSUwjKtNmb2hOZfEJySm/orGY67ZXQTLJ7Kl64bBRz0mMCQun7OxKH/DNCTkrZGES+AbC4KHg02iNE7wMSlOICSvter9C36adkguOdpyUUhNCpuKhofwa1VwjMmxXLLbsKeIsDQMyRlYpJNni2wAHUVgJEUQpNQYiU1qh3VkwTAYJKoZIhvcNAQcBMB0GCWCGSAFlAwQBKgQQKoOcxDT8eH4ps7QcYCZSCIAgUzA4XD+QHiSIKt500ahvH+ugh9C6zONXcSThZVVe9tA=]
nested: {list: [one, "ENC[PKCS7,MIIBnAYJKoZIhvcNAQcDoIIBjTCCAYkCAQAxggE0MIIBMAIBADAYMAACFAhxTdg1pelOcuLl6334iKNfF7T6MA0GCSqGSIb3DQEBAQUABIIBAFuleg2oF8F6u1BJJ436hoalSRrR7M2urvjIM0lIAHH7QC8ek67M+2DABWFAYlgNVwo11P05/Ql2hRClhM76gXL02jTbLrzQiQE+VYEN6spgKTU+wNelU8xSQzZy9tLFP1/y3/v4aur/oRUR7JR+z8Xo3/aqhdulSZOC9X2vC/w2GyNaSUwjKtNmb2hOZfEJySm/orGY67ZXQTLJ7Kl64bBRz0mMCQun7OxKH/DNCTkrZGES+AbC4KHg02iNE7wMSlOICSvter9C36adkguOdpyUUhNCpuKhofwa1VwjMmxXLLbsKeIsDQMyRlYpJNni2wAHUVgJEUQpNQYiU1qh3VkwTAYJKoZIhvcNAQcBMB0GCWCGSAFlAwQBKgQQKoOcxDT8eH4ps7QcYCZSCIAgUzA4XD+QHiSIKt500ahvH+ugh9C6zONXcSThZVVe9tA=]"]}
YAML
cat > production/modules/m/lib/puppet/functions/m/ruby.rb <<'RUBY'
Puppet::Functions.create_function(:'m::ruby') do
  def ruby(secret)
    warn secret.inspect
    raise ArgumentError, "not with #{secret}"
  end
end
RUBY
echo '<%= @password %> <%= @password.inspect %>' > production/modules/m/templates/a.erb
echo '<%= $m::password %>' > production/modules/m/templates/a.epp
cat > production/modules/m/manifests/init.pp <<'PP'
class m(Sensitive[String] $password) {
  notice($password, [$password], { 'a' => $password }, "${password}", Sensitive($password))
  file { '/a': content => $password }
  file { '/b': content => Sensitive(template('m/a.erb')) }
  user { 'u': password => $password }
  notify { "title ${password}": }
}
PP
cat > production/modules/m/manifests/wrong.pp <<'PP'
class m::wrong(Integer $number) { }
PP
echo 'include m' > production/manifests/site.pp
echo '{}' > facts/n.json
mkdir written
compile="bunraku catalog compile n --no-facts --environmentpath . --debug"
ask() {
  name=$1
  shift
  "$@" > "written/$name.out" 2> "written/$name.err" || echo "$name: exit $?"
}
ask catalog $compile --explain-file written/explained.txt
mv written/catalog.out catalog.json
ask explain-json $compile --explain-file written/explained.json -e 'include m  $x = lookup("nested")'
mv written/explain-json.out other.json
ask fleet bunraku fleet compile facts --environmentpath . --cache cache --output output --profile written/profile.json --debug
cp cache/index written
ask why bunraku catalog why n --no-facts 'File[/a]' --environmentpath .
ask graph bunraku catalog graph --node n --environmentpath . --facts facts/n.json --format html
sed 's/Sunflower-4711/Sunflower-4712/g' catalog.json > changed.json
ask diff bunraku catalog diff catalog.json changed.json
ask diff-html bunraku catalog diff catalog.json changed.json --format html
s="Sensitive('$secret')"
# Errors of each kind, which contain the value.
i=0
while read -r code; do
  i=$((i + 1))
  ask "error$i" $compile -e "\$s = $s
\$h = lookup('m::password')
$code"
  # The code itself is shown where it is wrong.
  sed -i '/Sensitive(.Sunflower/d' "written/error$i".*
done <<'CODE'
fail("no ${h}")
$h + 1
$h =~ Integer
class { 'm': password => 5, other => $h }
class { 'm::wrong': number => $h }
file { $h: }
file { '/a': mode => $h, nothing => $h }
m::ruby($h)
Integer($h)
assert_type(Integer, $h)
$h['a']
lookup($h)
unknown_function($h)
if $h { fail($h) }
$h.each |Integer $x| { }
epp('m/a.epp', { 'x' => $h })
CODE
grep -rl "$secret" written | sort
grep -c "$secret" catalog.json
stat -c %a catalog.json cache/catalogs/n.json 2> /dev/null | tail -n 1
