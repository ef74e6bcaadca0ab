# Nodes.
as 'agent1.test' do
  get "#{V3}/node/agent1.test?environment=production"
  get "#{V3}/node/agent1.test?environment=production&configured_environment=production&transaction_uuid=1"
  get "#{V3}/node/agent1.test?environment=dev"
  get "#{V3}/node/agent1.test?environment=nowhere"
  get "#{V3}/node/agent1.test?environment=bad-name"
  get "#{V3}/node/agent1.test?environment="
  get "#{V3}/node/agent1.test"
  get "#{V3}/node/agent2.test?environment=production"
  get "#{V3}/node/AGENT1.test?environment=production"
  get "#{V3}/node/agent1.test/?environment=production"
  get "#{V3}/node/agent1.test/more?environment=production"
  get "#{V3}/node?environment=production"
  get "#{V3}/node/?environment=production"
  get "#{V3}//node//agent1.test?environment=production"
  get "#{V3}/node/agent1%2etest?environment=production"
  get "#{V3}/node/agent1.test;x=y?environment=production"
  get "#{V3}/node/agent1.test?environment=production&environment=dev"
  get "#{V3}/node/agent1.test?environment=production&node=agent2.test&use_node=x&ip=1.2.3.4"
  get "#{V3}/node/agent1.test?environment=production", accept: :none
  get "#{V3}/node/agent1.test?environment=production", accept: '', label: 'accept empty'
  get "#{V3}/node/agent1.test?environment=production", accept: '*/*', label: 'accept any'
  get "#{V3}/node/agent1.test?environment=production", accept: 'text/html', label: 'accept html'
  get "#{V3}/node/agent1.test?environment=production", accept: 'text/html, application/json;q=0.1', label: 'accept html, json'
  get "#{V3}/node/agent1.test?environment=production", accept: 'text/pson', label: 'accept pson'
  get "#{V3}/node/agent1.test?environment=production", accept: 'pson', label: 'accept bare pson'
  get "#{V3}/node/agent1.test?environment=production", accept: 'application/x-msgpack, application/json', label: 'accept msgpack, json'
  get "#{V3}/node/agent1.test?environment=production", accept: 'application/x-msgpack', label: 'accept msgpack'
  get "#{V3}/node/agent1.test?environment=production", accept: 'application/vnd.puppet.rich+json', label: 'accept rich json'
  head "#{V3}/node/agent1.test?environment=production"
  post "#{V3}/node/agent1.test?environment=production", body: 'x'
  put "#{V3}/node/agent1.test?environment=production", body: '{}', type: 'application/json'
  delete "#{V3}/node/agent1.test?environment=production"
  ask 'OPTIONS', "#{V3}/node/agent1.test?environment=production"
  ask 'PATCH', "#{V3}/node/agent1.test?environment=production"
  ask 'FOO', "#{V3}/node/agent1.test?environment=production"
end
as('moved.test') { get "#{V3}/node/moved.test?environment=production" }
as('role.test') { get "#{V3}/node/role.test?environment=production" }
as('missing.test') { get "#{V3}/node/missing.test?environment=production" }
as('failing.test') { get "#{V3}/node/failing.test?environment=production" }
as('lost.test') { get "#{V3}/node/lost.test?environment=production" }
get "#{V3}/node/agent1.test?environment=production"
as('san.test') { get "#{V3}/node/agent1.test?environment=production" }
as('test') { get "#{V3}/node/agent1.test?environment=production" }
as('revoked.test') { get "#{V3}/node/revoked.test?environment=production" }
as('expired.test') { get "#{V3}/node/expired.test?environment=production" }
as('foreign.test') { get "#{V3}/node/foreign.test?environment=production" }
as('foreign.test') { get '/status/v1/simple' }
as('admin.test') { get "#{V3}/node/agent1.test?environment=production" }
as('admin.test') { get "#{V3}/node/agent1.test?environment=production&job_id=tool" }
as('admin.test') { get "#{V3}/node/agent1.test?environment=production&job_id=other" }

# Paths.
as 'agent1.test' do
  get '/'
  get '/puppet'
  get '/puppet/'
  get '/puppet/v3'
  get "#{V3}/"
  get "#{V3}/nothing/x?environment=production"
  get "#{V3}/resource_types/x?environment=production"
  get "#{V3}/resource_type/x?environment=production"
  get "#{V3}/run/x?environment=production"
  get "#{V3}/certificate/ca?environment=production"
  get "#{V3}/environment/production?environment=production"
  get "#{V3}/status/agent1.test?environment=production"
  get '/production/catalog/agent1.test'
  get '/v2.0/environments'
  get '/puppet/v2/node/x'
  get "#{V3}/node/../catalog/agent1.test?environment=production"
  get "#{V3}/node/%2e%2e/catalog/agent1.test?environment=production"
  get "#{V3}/node/..%2fcatalog?environment=production"
  get "#{V3}/node/./agent1.test?environment=production"
  get "#{V3}/node/agent1.test%00?environment=production"
  get "#{V3}/node/%ff?environment=production"
  get "#{V3}/node/agent1.test%252e?environment=production"
  get "#{V3}/node/%zz?environment=production"
  get "#{V3}/node/a%20b?environment=production"
  get "#{V3}/node/a%0ab?environment=production"
  get '/nothing'
  get '/metrics/v1/mbeans'
  get '/puppet-admin-api/v1/nothing'
end
