# case: timeout=180
# Suites of rspec-puppet, run for a module and for the modules of a control repository.
unset BUNRAKU_LOG_FORMAT
steady() { sed -E 's/ in [0-9.]+ s$//; s/ on node .*//'; }
bunraku test nowhere 2>&1 || echo "exit code $?"
mkdir empty
bunraku test empty 2>&1 || echo "exit code $?"

echo '--- a module whose suite fails on purpose'
{ bunraku test "$CASE/../../rspec/motd" --jobs 2 || echo "exit code $?"; } | steady

echo '--- a control repository: a suite that passes, and one whose helper cannot be loaded'
mkdir -p site/role/manifests site/role/spec/classes site/role/spec/fixtures/modules
ln -s ../../.. site/role/spec/fixtures/modules/role
cat > site/role/manifests/init.pp <<'CODE'
class role(String $text = 'one') {
  package { 'tool': ensure => installed }
  -> file { '/etc/role': content => "${text} ${facts['os']['family']}" }
}
CODE
cat > site/role/spec/spec_helper.rb <<'CODE'
require 'rspec-puppet'
RSpec.configure do |config|
  config.module_path = File.expand_path('fixtures/modules', __dir__)
  config.after(:suite) { RSpec::Puppet::Coverage.report!(50) }
end
CODE
cat > site/role/spec/classes/role_spec.rb <<'CODE'
require 'spec_helper'
describe 'role' do
  let(:facts) { { 'os' => { 'family' => 'Debian' } } }

  it { is_expected.to compile.with_all_deps }
  it { is_expected.to contain_file('/etc/role').with_content('one Debian').that_requires('Package[tool]') }

  context 'with other facts and parameters' do
    let(:facts) { { os: { family: 'RedHat' } } }
    let(:params) { { text: 'two' } }

    it { is_expected.to contain_file('/etc/role').with_content('two RedHat') }
    it('sees functions of Ruby') { expect(catalogue.resource('file', '/etc/role')[:content]).to start_with('two') }
  end

  context 'with a stub, which only Puppet sees' do
    before { allow(Facter).to receive(:value).and_call_original }

    it { is_expected.to contain_file('/etc/role') }
  end
end
CODE
# Ruby files of modules are on Ruby's path for tests of a class, but not for tests of a fact.
mkdir -p site/role/lib/role site/role/spec/unit
cat > site/role/spec/unit/fact_spec.rb <<'CODE'
require 'spec_helper'
describe 'a fact' do
  it { expect($LOAD_PATH.grep(%r{fixtures/modules/role/lib})).to be_empty }
end
CODE
cat >> site/role/spec/classes/role_spec.rb <<'CODE'
describe 'role' do
  let(:facts) { { 'os' => { 'family' => 'Debian' } } }

  it { catalogue && expect($LOAD_PATH.grep(%r{fixtures/modules/role/lib})).not_to(be_empty) }
end
CODE
echo 'puts "a text of the helper"' >> site/role/spec/spec_helper.rb
bunraku test --format json --jobs 1 > result.json 2> helper.txt
cat helper.txt
sed -i '$d' site/role/spec/spec_helper.rb
ruby -rjson -e 'JSON.parse(File.read("result.json"))["suites"].each { |suite| puts JSON.generate(suite.reject { |key, _| key == "output" }) }'
mkdir -p site/broken/spec/classes
echo "raise 'no helper'" > site/broken/spec/spec_helper.rb
echo "require 'spec_helper'" > site/broken/spec/classes/broken_spec.rb
echo "require 'spec_helper'" > site/broken/spec/classes/other_spec.rb
# Facter is loaded once for several suites, before the facts of their modules exist.
mkdir site/role/lib/facter
echo 'Facter.add(:role_color) { setcode { "red" } }' > site/role/lib/facter/roles.rb
cat > site/role/spec/unit/own_fact_spec.rb <<'CODE'
require 'spec_helper'
describe 'a fact of the module' do
  it { expect(Facter.fact(:role_color).value).to eq('red') }
end
CODE
{ bunraku test --jobs 2 2> /dev/null || echo "exit code $?"; } | grep -v '^  #' | sed 's|loading /.*/site|loading site|' | steady

echo '--- one cause in two suites, which a file .rspec loads'
mkdir -p site/again
cp -r site/broken/spec site/again
for suite in again broken; do
  echo '--require spec_helper' > site/$suite/.rspec
  echo "raise 'no helper'" > site/$suite/spec/spec_helper.rb
done
{ bunraku test --jobs 4 --format json || echo "exit code $?"; } > result.json
ruby -rjson -e 'JSON.parse(File.read("result.json").lines.grep_v(/^exit/).join)["suites"].each { |suite| p suite.values_at("name", "errors") }'
bunraku test --jobs 4 2> /dev/null | grep -v '^  #' | head -8
rm -r site/again

echo '--- one file of it'
bunraku test --only classes/role --rspec --example --rspec 'with other facts' | steady
bunraku test --only nothing 2>&1 || echo "exit code $?"

echo '--- programs that Facter starts for this host, for three nodes without facts of a network'
mkdir programs
cat > programs/ip <<'CODE'
#!/bin/sh
echo "$*" >> "$PROGRAMS"
CODE
chmod +x programs/ip
cat > site/role/spec/classes/network_spec.rb <<'CODE'
require 'spec_helper'
RSpec.configuration.trusted_server_facts = true if RSpec.configuration.respond_to?(:trusted_server_facts=)
describe 'role' do
  let(:facts) { { 'os' => { 'family' => 'Debian' } } }

  %w[one two three].each do |name|
    context name do
      let(:node) { "#{name}.example.com" }

      it { is_expected.to contain_package('tool') }
    end
  end
end
CODE
PROGRAMS=$PWD/programs/log PATH=$PWD/programs:$PATH bunraku test --only classes/network --jobs 1 | head -1 | steady
sort programs/log | uniq -c | sed 's/^ *//'

echo '--- Ruby code of modules finds the libraries of the process that runs the suite'
mkdir words
echo "WORDS = 'of a library'" > words/role_words.rb
cat > site/role/spec/classes/words_spec.rb <<'CODE'
require 'spec_helper'
describe 'role' do
  let(:facts) { { 'os' => { 'family' => 'Debian' } } }
  let(:pre_condition) { %q{notify { 'words': message => inline_template('<% require "role_words" -%><%= WORDS %>') }} }

  it { is_expected.to contain_notify('words').with_message('of a library') }
end
CODE
cd site/role
rspec -I ../../words --require "$(bunraku rspec)" --format documentation spec/classes/words_spec.rb | grep "contain Notify"

echo '--- a constant that does not exist, as Ruby shows it'
echo 'describe("a name") { it { Nowhere.new } }' > spec/unit/name_spec.rb
rspec --require "$(bunraku rspec)" spec/unit/name_spec.rb | grep -A 5 NameError:
