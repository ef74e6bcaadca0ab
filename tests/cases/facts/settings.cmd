# case: oracle=no
# Settings by section in custom facts, as modules list them. The values are those of version 8.
mkdir -p conf own
printf '[main]\nserver = a.example\nvardir = %s/var\n[agent]\nserver = b.example\nnoop = true\nruninterval = 1h\n[user]\ntags = x\n' "$PWD" > conf/puppet.conf
cat > own/sections.rb <<'RUBY'
Facter.add(:sections) do
  setcode do
    found = {}
    definitions = Hash[Puppet.settings.map { |name, definition| [name, definition] }]
    Puppet.settings.eachsection do |section|
      context = Puppet.base_context(%i[environmentpath basemodulepath].to_h { |path| [path, Puppet.settings.values(nil, section).interpolate(path)] })
      Puppet.override(context, 'section') do
        values = Puppet.settings.values(Puppet[:environment].to_sym, section)
        mine = definitions.select { |_, definition| definition.section == section && !definition.deprecated? }
        found[section.to_s] = mine.keys.map { |name| [name.to_s, values.interpolate(name)] }.to_h
      end
    end
    { 'names' => found.keys.sort, 'agent' => found['agent'].slice('server', 'ca_server', 'noop', 'runinterval', 'graph'),
      'ca' => found['ca'].slice('ca_refresh_interval'), 'transaction' => found['transaction'].slice('tags') }
  end
end
Facter.add(:of_section) { setcode { %i[main agent user nosuch].map { |section| [section, Puppet.settings.values(nil, section).interpolate(:server)] }.to_h } }
Facter.add(:of_run) { setcode { [Puppet[:server], Puppet[:noop], Puppet[:tags], Puppet[:http_read_timeout], Puppet.settings.include?(:server), Puppet.settings.include?(:nosuch), Puppet.settings.setting(:server).section] } }
RUBY
bunraku facts show --confdir conf --modulepath none --custom-dir own sections of_section of_run 2>&1 | sed "s,$PWD,<here>,"
