# case: oracle=no differs=D655
# Facts in Ruby, in modules and in directories.
mkdir -p modules/m/lib/facter modules/m/facts.d own
cat > modules/m/lib/facter/simple.rb <<'RUBY'
Facter.add(:simple) { setcode { "on #{Facter.value('kernel')}" } }
Facter.add(:kernel) { setcode { 'weighs nothing' } }
Facter.add(:timezone) { has_weight 5; setcode { 'heavier' } }
Facter.add('confined') { confine kernel: 'linux'; confine(:simple) { |value| value == 'on linux' }; setcode 'echo by command' }
Facter.add('confined') { setcode { 'otherwise' } }
Facter.add(:parts, type: :aggregate) do
  chunk(:one) { { 'list' => [1] } }
  chunk(:two, require: [:one]) { |one| { 'list' => [2], 'size' => one.size } }
end
Facter.add(:symbols) { setcode { { a: :b, c: [nil, 1.5, true] } } }
Facter.add(:from_file) { has_weight 20_000; setcode { 'custom' } }
Facter.add(:from_file_too) { has_weight 100; setcode { 'custom' } }
Facter.add(:other) { setcode { Facter.value(:later) } }
Facter.add(:absent) { setcode { Facter::Core::Execution.execute('nosuchprogram', on_fail: 'none') } }
Facter.add(:which) { setcode { Facter::Util::Resolution.which('sh') } }
Facter.add(:setting) { setcode { Puppet[:server] } }
Facter.add(:setting_of_section) { setcode { Puppet.settings.values(:production, :main).interpolate(:server) } }
Facter.add(:service_runs) { setcode { Puppet::Type.type(:service).new(name: 'no-such-service').provider.status } }
Facter.add(:odd_keys) { setcode { { nil => 1, 3 => [nil, 2**70], true => {} } } }
Facter.add(:run_mode) { setcode { [Puppet.run_mode.name, Puppet.run_mode.agent?, Puppet.settings.global_defaults_initialized?] } }
RUBY
printf 'from_file=file\nfrom_file_too=file\n' > modules/m/facts.d/f.txt
echo 'Facter.add(:later) { setcode { 42 } }' > own/later.rb
cat > own/failing.rb <<'RUBY'
Facter.add(:slow, timeout: 0.1) { setcode { sleep 10 } }
Facter.add(:raises) { setcode { raise 'no' } }
Facter.add(:itself) { setcode { Facter.value(:itself) } }
Facter.add(:nothing) { setcode { nil } }
Facter.add(:odd, strange: 1) { setcode { 1 } }
RUBY
echo 'broken(' > own/syntax.rb
show() { bunraku facts show --modulepath modules --vardir var --custom-dir own "$@" 2>&1; }
show simple kernel timezone confined parts symbols from_file from_file_too other absent which setting setting_of_section service_runs odd_keys run_mode nothing slow > out
sed -e 's/^broken(.*//' -e '/^ *^ *$/d' -e '/^$/d' -e 's/unexpected .*/unexpected .../' out
bunraku facts show simple --modulepath modules --no-custom-facts --value-only
bunraku catalog compile --modulepath modules --vardir var --custom-facts -e 'notify { $facts["simple"]: }' | grep -c 'on Linux'
bunraku catalog compile --modulepath modules --vardir var -e 'notify { "${facts["kernel"]} ${facts["clientcert"] =~ NotUndef}": }' | grep '"title": "Linux'
bunraku catalog compile some.other.node --modulepath modules --vardir var -e 'notify { "${facts}": }' | grep -c '"title": "{}"'
bunraku facts show simple --modulepath modules --ruby never --value-only 2>&1 | grep -c 'ruby never'
bunraku apply --modulepath modules --confdir conf --codedir code --vardir var --rundir run --logdir log -e 'notice($facts["run_mode"], $facts["symbols"]["c"])' 2>/dev/null | grep Scope
show simple --timing | grep -c "^fact '\(parts\|slow\)', took: [0-9.]* seconds$"
