# Environments, their classes, modules, tasks, plans; status, flush, metrics.
as 'agent1.test' do
  get "#{V3}/environments"
  get "#{V3}/environments", accept: '*/*', label: 'any'
  get "#{V3}/environments", accept: :none, label: 'no accept'
  get "#{V3}/environments", accept: 'text/html', label: 'html'
  get "#{V3}/environments?environment=production"
  get "#{V3}/environments/"
  get "#{V3}/environments/production"
  post "#{V3}/environments"
  get "#{V3}/environment_classes?environment=production"
  get "#{V3}/environment_modules?environment=production"
  get "#{V3}/environment_transports?environment=production"
  get "#{V3}/tasks?environment=production"
  get "#{V3}/tasks"
  get "#{V3}/tasks?environment=nowhere"
  get "#{V3}/tasks?environment=bad-name"
  get "#{V3}/tasks/demo/restart?environment=production"
  get "#{V3}/tasks/demo/nope?environment=production"
  get "#{V3}/tasks/nope/nope?environment=production"
  get "#{V3}/tasks/demo?environment=production"
  get "#{V3}/plans?environment=production"
end
as 'admin.test' do
  %w[environment_classes environment_modules environment_transports plans].each do |name|
    get "#{V3}/#{name}?environment=production", shape: name == 'environment_classes' ? :sorted_files : nil
    get "#{V3}/#{name}?environment=dev"
    get "#{V3}/#{name}?environment=empty"
    get "#{V3}/#{name}?environment=broken", shape: name == 'environment_classes' ? :sorted_files : nil
    get "#{V3}/#{name}?environment=nowhere"
    get "#{V3}/#{name}?environment=bad-name"
    get "#{V3}/#{name}?environment="
    get "#{V3}/#{name}"
    get "#{V3}/#{name}/production?environment=production"
    post "#{V3}/#{name}?environment=production"
  end
  get "#{V3}/environment_classes?environment=production", accept: 'text/html', label: 'html', shape: :sorted_files
  get "#{V3}/plans/demo/steps?environment=production"
  get "#{V3}/plans/demo/nope?environment=production"

  delete '/puppet-admin-api/v1/environment-cache'
  delete '/puppet-admin-api/v1/environment-cache?environment=production'
  delete '/puppet-admin-api/v1/environment-cache?environment=nowhere'
  get '/puppet-admin-api/v1/environment-cache'
  put '/puppet-admin-api/v1/environment-cache', body: 'x'
  post '/puppet-admin-api/v1/jruby-pool', body: 'x'
  get '/puppet-admin-api/v1/jruby-pool'
  get '/puppet-admin-api/v1/nothing'
  get '/metrics/v1/mbeans'
  get '/metrics/v2/nothing', shape: :keys
end
as 'agent1.test' do
  delete '/puppet-admin-api/v1/environment-cache'
  delete '/puppet-admin-api/v1/jruby-pool'
  get '/metrics/v2/list'
end

# Status needs no certificate.
get '/status/v1/simple'
get '/status/v1/simple', accept: :none, label: 'no accept'
get '/status/v1/simple/'
get '/status/v1/simple/server'
get '/status/v1/simple/master'
get '/status/v1/simple/ca'
get '/status/v1/simple/nothing'
get '/status/v1/simple/status-service'
get '/status/v1/services', shape: :keys
get '/status/v1/services?level=critical', shape: :keys
get '/status/v1/services?level=info', shape: :keys
get '/status/v1/services?level=debug', shape: :keys
get '/status/v1/services?level=foo'
get '/status/v1/services?timeout=5', shape: :keys
get '/status/v1/services?timeout=x'
get '/status/v1/services/server', shape: :keys
get '/status/v1/services/master', shape: :keys
get '/status/v1/services/ca', shape: :keys
get '/status/v1/services/ca?level=debug', shape: :keys
get '/status/v1/services/nothing'
get '/status/v1/services/ca?level=foo'
get '/status/v1/nothing'
get '/status/v1'
get '/status/v1/'
post '/status/v1/services'
put '/status/v1/simple', body: 'x'
head '/status/v1/simple'
delete '/status/v1/simple'
