# Catalogs.
catalog = lambda do |name, extra = {}, accept: RICH, query: 'environment=production', label: nil, shape: nil, facts: facts_of(name)|
  post "#{V3}/catalog/#{name}?#{query}", accept: accept, type: RequestList::FORM, body: catalog_form(name, extra, facts: facts), label: label,
                                         shape: shape
end
as 'agent1.test' do
  catalog.call('agent1.test')
  catalog.call('agent1.test', accept: 'application/json', label: 'json')
  catalog.call('agent1.test', accept: 'text/pson', label: 'pson')
  catalog.call('agent1.test', accept: '*/*', label: 'any')
  catalog.call('agent1.test', accept: 'application/vnd.puppet.rich+msgpack, application/x-msgpack', label: 'msgpack')
  catalog.call('agent1.test', accept: 'text/html', label: 'html')
  catalog.call('agent1.test', accept: :none, label: 'no accept')
  catalog.call('agent1.test', { 'static_catalog' => 'true' }, label: 'static')
  catalog.call('agent1.test', { 'static_catalog' => 'true', 'checksum_type' => 'md5' }, label: 'static md5')
  catalog.call('agent1.test', { 'static_catalog' => 'true', 'checksum_type' => 'crc32' }, label: 'static crc32')
  catalog.call('agent1.test', { 'check_environment' => 'true' }, label: 'check')
  catalog.call('agent1.test', { 'environment' => 'dev' }, label: 'two environments')
  catalog.call('agent1.test', { 'environment' => 'dev' }, query: 'environment=dev', label: 'dev')
  catalog.call('agent1.test', { 'environment' => 'broken' }, query: 'environment=broken', label: 'broken')
  catalog.call('agent1.test', { 'environment' => 'empty' }, query: 'environment=empty', label: 'empty')
  catalog.call('agent1.test', { 'environment' => 'nowhere' }, query: 'environment=nowhere', label: 'nowhere')
  catalog.call('agent1.test', { 'environment' => 'bad-name' }, query: 'environment=bad-name', label: 'bad name')
  catalog.call('agent1.test', { 'environment' => '' }, query: 'environment=', label: 'no environment')
  catalog.call('agent1.test', { 'facts_format' => 'pson' }, label: 'facts pson')
  catalog.call('agent1.test', { 'facts_format' => 'text/pson' }, label: 'facts text/pson')
  catalog.call('agent1.test', { 'facts_format' => 'yaml' }, label: 'facts yaml')
  catalog.call('agent1.test', { 'facts_format' => 'application/x-msgpack' }, label: 'facts msgpack')
  catalog.call('agent1.test', facts: facts_of('agent2.test'), label: 'facts of another')
  catalog.call('agent1.test', facts: '{"name":', label: 'facts torn')
  catalog.call('agent1.test', facts: '[]', label: 'facts list')
  catalog.call('agent1.test', facts: '{"name":"agent1.test"}', label: 'facts without values')
  catalog.call('agent1.test', facts: facts_of('agent1.test', 'plus' => 'a+b %2B &=', 'uml' => "\u00fc", 'big' => 12_345_678_901_234_567_890, 'float' => 1.0), label: 'facts of all kinds')
  post "#{V3}/catalog/agent1.test?environment=production", accept: RICH, type: RequestList::FORM,
                                                           body: form('facts' => escaped(facts_of('agent1.test'))), label: 'no format'
  post "#{V3}/catalog/agent1.test?environment=production", accept: RICH, type: RequestList::FORM, body: 'environment=production', label: 'no facts'
  post "#{V3}/catalog/agent1.test?environment=production", accept: RICH, label: 'no body'
  post "#{V3}/catalog/agent1.test", accept: RICH, type: RequestList::FORM, body: 'x=y', label: 'no environment at all'
  get "#{V3}/catalog/agent1.test?environment=production", accept: RICH
  get "#{V3}/catalog/agent1.test?environment=production&use_node=agent2.test&node=agent2.test", accept: RICH
  catalog.call('agent2.test', label: 'another node')
  put "#{V3}/catalog/agent1.test?environment=production", body: '{}', type: 'application/json'
  delete "#{V3}/catalog/agent1.test?environment=production"
  head "#{V3}/catalog/agent1.test?environment=production"
  get "#{V3}/catalog/?environment=production"
  get "#{V3}/catalog?environment=production"
end
as('rich.test') do
  catalog.call('rich.test')
  catalog.call('rich.test', accept: 'application/json', label: 'plain')
  catalog.call('rich.test', accept: 'text/pson', label: 'pson')
end
as('moved.test') do
  catalog.call('moved.test')
  catalog.call('moved.test', { 'check_environment' => 'true' }, label: 'check')
  catalog.call('moved.test', { 'environment' => 'dev', 'check_environment' => 'true' }, query: 'environment=dev', label: 'settled')
end
as('role.test') { catalog.call('role.test') }
as('broken.test') { catalog.call('broken.test') }
as('missing.test') { catalog.call('missing.test') }
as('failing.test') { catalog.call('failing.test') }
as('lost.test') { catalog.call('lost.test') }
as('test') { catalog.call('agent1.test') }
as('san.test') { catalog.call('agent1.test') }
as('agent2.test') { get "#{V3}/catalog/agent2.test?environment=production", accept: RICH }
catalog.call('agent1.test')

# After facts were stored.
as('role.test') { get "#{V3}/node/role.test?environment=production", label: 'with facts' }

# Catalogs for tools.
v4 = ->(document, **options) { post '/puppet/v4/catalog', body: document.is_a?(String) ? document : JSON.generate(document), **{ type: 'application/json' }.merge(options) }
whole = { 'certname' => 'agent1.test', 'persistence' => { 'facts' => false, 'catalog' => false }, 'environment' => 'production',
          'facts' => { 'values' => { 'kernel' => 'Linux' } }, 'trusted_facts' => { 'values' => { 'certname' => 'agent1.test', 'authenticated' => 'remote' } } }
as('agent1.test') { v4.call(whole) }
as 'admin.test' do
  v4.call(whole)
  v4.call(whole.merge('transaction_uuid' => '1', 'job_id' => '2', 'options' => { 'capture_logs' => true, 'log_level' => 'debug' }), label: 'logs', shape: :keys)
  v4.call(whole.merge('environment' => 'dev'), label: 'dev')
  v4.call(whole.merge('environment' => 'dev', 'options' => { 'prefer_requested_environment' => true }), label: 'dev preferred')
  v4.call(whole.merge('certname' => 'moved.test'), label: 'moved')
  v4.call(whole.merge('certname' => 'moved.test', 'options' => { 'prefer_requested_environment' => true }), label: 'moved, preferred')
  v4.call(whole.merge('certname' => 'broken.test'), label: 'broken')
  v4.call(whole.merge('environment' => 'nowhere'), label: 'nowhere')
  v4.call(whole.merge('environment' => 'bad-name'), label: 'bad name')
  v4.call(whole.reject { |key, _| %w[facts trusted_facts].include?(key) }, label: 'stored facts')
  v4.call(whole.reject { |key, _| key == 'persistence' }, label: 'no persistence')
  v4.call(whole.reject { |key, _| key == 'certname' }, label: 'no certname')
  v4.call(whole.reject { |key, _| key == 'environment' }, label: 'no environment')
  v4.call(whole.merge('certname' => 3), label: 'certname number')
  v4.call(whole.merge('persistence' => true), label: 'persistence true')
  v4.call(whole.merge('persistence' => { 'facts' => true }), label: 'persistence half')
  v4.call(whole.merge('transaction_uuid' => nil, 'job_id' => nil, 'options' => nil), label: 'nulls')
  v4.call('{', label: 'torn')
  v4.call('[]', label: 'list')
  v4.call('', label: 'empty')
  v4.call(whole, type: RequestList::FORM, label: 'form')
  get '/puppet/v4/catalog'
  post '/puppet/v4/catalog/', type: 'application/json', body: JSON.generate(whole)
end
