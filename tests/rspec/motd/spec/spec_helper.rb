# frozen_string_literal: true

require 'rspec-puppet'

fixtures = File.join(__dir__, 'fixtures')
RSpec.configure do |config|
  config.module_path = File.join(fixtures, 'modules')
  config.manifest = File.join(fixtures, 'manifests', 'site.pp')
  config.environmentpath = __dir__
  config.strict_variables = true
  config.default_facts = {
    'networking' => { 'hostname' => 'box', 'fqdn' => 'box.example.com', 'domain' => 'example.com', 'ip' => '192.0.2.7' },
    'os' => { 'name' => 'Debian', 'family' => 'Debian', 'release' => { 'major' => '12' } }
  }
  config.after(:suite) { RSpec::Puppet::Coverage.report! }
end
