# The authority. The order matters.
text = { accept: 'text/plain' }
submit = ->(name, body, **options) { put "#{CA}/certificate_request/#{name}", **text, type: PEM, body: body, **options }
get "#{CA}/certificate/ca", **text
get "#{CA}/certificate/ca", accept: :none, label: 'no accept'
get "#{CA}/certificate/ca?environment=production", **text
get "#{CA}/certificate/agent1.test", **text
get "#{CA}/certificate/localhost", **text
get "#{CA}/certificate/nope.test", **text
get "#{CA}/certificate/AGENT1.test", **text
get "#{CA}/certificate/a%20b", **text
get "#{CA}/certificate/..%2fca_key", **text
get "#{CA}/certificate/", **text
get "#{CA}/certificate", **text
head "#{CA}/certificate/ca", **text
put "#{CA}/certificate/ca", **text, body: 'x'
get "#{CA}/certificate_revocation_list/ca", **text
get "#{CA}/certificate_revocation_list/ca", **text, fields: { 'If-Modified-Since' => 'Fri, 01 Jan 2100 00:00:00 GMT' }, label: 'since 2100'
get "#{CA}/certificate_revocation_list/ca", **text, fields: { 'If-Modified-Since' => 'Fri, 01 Jan 2010 00:00:00 GMT' }, label: 'since 2010'
get "#{CA}/certificate_revocation_list/ca", **text, fields: { 'If-Modified-Since' => 'yesterday' }, label: 'since yesterday'
get "#{CA}/certificate_revocation_list/other", **text
get "#{CA}/certificate_request/agent1.test", **text
get "#{CA}/certificate_request/nope.test", **text
get "#{CA}/nothing", **text
get '/puppet-ca', **text
get "#{CA}/", **text

# Requests.
submit.call('new1.test', signing_request('new1.test'))
submit.call('new1.test', signing_request('new1.test'))
get "#{CA}/certificate_request/new1.test", **text
get "#{CA}/certificate/new1.test", **text
submit.call('auto.test', signing_request('auto.test'))
get "#{CA}/certificate/auto.test", **text
submit.call('auto.test', signing_request('auto.test'))
submit.call('a.signed.test', signing_request('a.signed.test'))
submit.call('signed.test', signing_request('signed.test'))
submit.call('revoked.test', signing_request('revoked.test'))
submit.call('other1.test', signing_request('other2.test'))
submit.call('Upper.test', signing_request('Upper.test'))
submit.call('wild.test', signing_request('*.wild.test'))
submit.call('x_y.test', signing_request('x_y.test'))
submit.call('-x.test', signing_request('-x.test'))
submit.call('x-.test', signing_request('x-.test'))
submit.call('x..test', signing_request('x..test'))
submit.call('x!.test', signing_request('x!.test'))
submit.call('x%20y', signing_request('x y'))
submit.call('control%0a', signing_request("control\n"))
submit.call("#{'long' * 20}.test", signing_request("#{'long' * 15}.test"), label: 'long')
submit.call('san1.test', signing_request('san1.test', names: 'DNS:san1.test'))
submit.call('san2.test', signing_request('san2.test', names: 'DNS:san2.test,DNS:puppet'))
submit.call('san3.signed.test', signing_request('san3.signed.test', names: 'DNS:puppet,IP:10.0.0.1'))
submit.call('san4.signed.test', signing_request('san4.signed.test', names: 'DNS:*.test'))
submit.call('ext1.signed.test', signing_request('ext1.signed.test', extensions: { '1.3.6.1.4.1.34380.1.1.13' => 'web' }))
submit.call('ext2.signed.test', signing_request('ext2.signed.test', extensions: { '1.3.6.1.4.1.34380.1.2.7' => 'private' }))
submit.call('ext3.signed.test', signing_request('ext3.signed.test', extensions: { '1.3.6.1.4.1.34380.1.3.1' => 'auth' }))
submit.call('ext4.signed.test', signing_request('ext4.signed.test', extensions: { '1.3.6.1.4.1.34380.1.3.39' => 'true' }))
submit.call('ext5.signed.test', signing_request('ext5.signed.test', extensions: { '1.2.3.4.5' => 'unknown' }))
submit.call('ext6.test', signing_request('ext6.test', extensions: { '1.3.6.1.4.1.34380.1.3.1' => 'auth' }))
submit.call('forged.signed.test', signing_request('forged.signed.test', signed_by: OpenSSL::PKey::RSA.new(2048)))
submit.call('weak.signed.test', signing_request('weak.signed.test', key: OpenSSL::PKey::RSA.new(1024)))
submit.call('ec.signed.test', signing_request('ec.signed.test', key: OpenSSL::PKey::EC.generate('prime256v1')))
submit.call('garbage.test', 'this is no request')
submit.call('garbage2.test', "-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n")
submit.call('garbage3.test', '')
submit.call('other3.test', signing_request('other3.test'), type: 'application/json', label: 'json type')
submit.call('crlf.test', signing_request('crlf.test').gsub("\n", "\r\n"), label: 'crlf')
post "#{CA}/certificate_request/new1.test", **text, body: 'x'
as('agent1.test') { delete "#{CA}/certificate_request/new1.test", **text }

# States.
%w[agent1.test revoked.test new1.test].each { |name| get "#{CA}/certificate_status/#{name}" }
as('agent1.test') { get "#{CA}/certificate_status/agent1.test" }
as 'admin.test' do
  status = ->(name, body, **options) { put "#{CA}/certificate_status/#{name}", body: body.is_a?(String) ? body : JSON.generate(body), **{ type: 'application/json' }.merge(options) }
  signed = { 'desired_state' => 'signed' }
  revoked = { 'desired_state' => 'revoked' }
  %w[agent1.test admin.test san.test role.test revoked.test new1.test san2.test nope.test].each { |name| get "#{CA}/certificate_status/#{name}" }
  get "#{CA}/certificate_status/agent1.test", accept: '*/*', label: 'any'
  get "#{CA}/certificate_status/agent1.test", accept: 'text/html', label: 'html'
  get "#{CA}/certificate_status/agent1.test", accept: :none, label: 'no accept'
  get "#{CA}/certificate_status/agent1.test", accept: 'text/pson', label: 'pson'
  get "#{CA}/certificate_status/"
  get "#{CA}/certificate_status"
  get "#{CA}/certificate_status/a%20b"
  status.call('new1.test', signed)
  status.call('new1.test', signed, label: 'twice')
  get "#{CA}/certificate/new1.test", **text
  get "#{CA}/certificate_status/new1.test", label: 'signed'
  status.call('nope.test', signed)
  status.call('nope.test', revoked, label: 'revoked')
  status.call('san1.test', signed)
  status.call('san2.test', signed)
  status.call('ext6.test', signed)
  status.call('san2.test', revoked, label: 'revoked')
  status.call('new1.test', { 'desired_state' => 'gone' }, label: 'gone')
  status.call('new1.test', { 'state' => 'signed' }, label: 'no state')
  status.call('new1.test', '', label: 'empty')
  status.call('new1.test', '{', label: 'torn')
  status.call('new1.test', '[]', label: 'list')
  status.call('new1.test', signed, type: 'text/html', label: 'html')
  status.call('new1.test', signed, type: 'text/pson', label: 'pson')
  status.call('new1.test', signed, type: nil, label: 'no type')
  status.call('other3.test', signed.merge('cert_ttl' => 3600), label: 'ttl')
  status.call('crlf.test', signed.merge('cert_ttl' => 'soon'), label: 'ttl no number')
  status.call('crlf.test', signed.merge('cert_ttl' => -5), label: 'ttl negative')
  status.call('new1.test', revoked, label: 'revoke')
  status.call('new1.test', revoked, label: 'revoke twice')
  get "#{CA}/certificate_status/new1.test", label: 'revoked'
  get "#{CA}/certificate/new1.test", **text, label: 'revoked'
  submit.call('new1.test', signing_request('new1.test'), label: 'after revocation')
  delete "#{CA}/certificate_status/deleted.test"
  delete "#{CA}/certificate_status/deleted.test", label: 'twice'
  delete "#{CA}/certificate_status/nope.test"
  get "#{CA}/certificate_statuses/any", shape: :sorted_names
  get "#{CA}/certificate_statuses/any?state=requested", shape: :sorted_names
  get "#{CA}/certificate_statuses/any?state=signed", shape: :sorted_names
  get "#{CA}/certificate_statuses/any?state=revoked", shape: :sorted_names
  get "#{CA}/certificate_statuses/any?state=gone", shape: :sorted_names
  get "#{CA}/certificate_statuses/", label: 'no segment'
  get "#{CA}/certificate_statuses"
  post "#{CA}/certificate_statuses/any", body: 'x'
  delete "#{CA}/certificate_request/crlf.test", **text
  delete "#{CA}/certificate_request/crlf.test", **text
  delete "#{CA}/certificate_request/nope.test", **text

  clean = ->(body, **options) { put "#{CA}/clean", body: body.is_a?(String) ? body : JSON.generate(body), **{ type: 'application/json' }.merge(options) }
  clean.call({ 'certnames' => ['cleaned.test'] })
  clean.call({ 'certnames' => ['nope.test'] }, label: 'unknown')
  clean.call({ 'certnames' => %w[auto.test nope.test] }, label: 'both')
  clean.call({ 'certnames' => [] }, label: 'none')
  clean.call({ 'certnames' => 'auto.test' }, label: 'no list')
  clean.call({ 'certnames' => [3] }, label: 'number')
  clean.call({}, label: 'no names')
  clean.call('', label: 'empty')
  clean.call('{', label: 'torn')
  clean.call({ 'certnames' => ['a.signed.test'], 'async' => true }, label: 'async')
  clean.call({ 'certnames' => ['a.signed.test'] }, type: 'text/plain', label: 'text')
  post "#{CA}/clean", body: '{}', type: 'application/json'

  put "#{CA}/certificate_revocation_list", **text, type: PEM, body: 'no list', label: 'garbage'
  put "#{CA}/certificate_revocation_list", **text, type: PEM, body: '', label: 'empty'
  put "#{CA}/certificate_revocation_list", **text, type: PEM, body: @authority.revocation_list([]).to_pem, label: 'own'
  get "#{CA}/expirations"
  post "#{CA}/expirations", body: 'x'
  post "#{CA}/sign", type: 'application/json', body: JSON.generate('certnames' => ['x_y.test'])
  post "#{CA}/sign/all", type: 'application/json', body: '{}'
  post "#{CA}/certificate_renewal", **text, body: ''
end
as('agent1.test') do
  get "#{CA}/expirations"
  get "#{CA}/certificate_statuses/any"
  put "#{CA}/clean", type: 'application/json', body: JSON.generate('certnames' => ['agent2.test'])
  put "#{CA}/certificate_status/agent2.test", type: 'application/json', body: JSON.generate('desired_state' => 'revoked')
  put "#{CA}/certificate_revocation_list", **text, type: PEM, body: 'x'
  delete "#{CA}/certificate_status/agent2.test"
  post "#{CA}/certificate_renewal", **text, body: ''
end
get "#{CA}/expirations"
put "#{CA}/clean", type: 'application/json', body: JSON.generate('certnames' => ['agent2.test'])
