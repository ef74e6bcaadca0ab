# File buckets, reports, facts.
require 'digest'
first = Digest::SHA256.hexdigest("first\n")
second = Digest::SHA256.hexdigest("second\n")
as 'agent1.test' do
  bucket = ->(method, rest, **options) { ask(method, "#{V3}/file_bucket_file/#{rest}", **{ accept: OCTETS }.merge(options)) }
  in_production = 'environment=production'
  bucket.call('HEAD', "sha256/#{first}?#{in_production}")
  bucket.call('GET', "sha256/#{first}?#{in_production}")
  bucket.call('PUT', "sha256/#{first}//etc/first?#{in_production}", type: OCTETS, body: "first\n")
  bucket.call('HEAD', "sha256/#{first}//etc/first?#{in_production}")
  bucket.call('HEAD', "sha256/#{first}/etc/first?#{in_production}")
  bucket.call('HEAD', "sha256/#{first}?#{in_production}")
  bucket.call('GET', "sha256/#{first}//etc/first?#{in_production}")
  bucket.call('GET', "sha256/#{first}//etc/other?#{in_production}")
  bucket.call('GET', "sha256/#{first}?#{in_production}")
  bucket.call('PUT', "sha256/#{first}//etc/other?#{in_production}", type: OCTETS, body: "first\n")
  bucket.call('GET', "sha256/#{first}//etc/other?#{in_production}", label: 'again')
  bucket.call('PUT', "sha256/#{second}?#{in_production}", type: OCTETS, body: "second\n")
  bucket.call('GET', "sha256/#{second}?#{in_production}")
  bucket.call('PUT', "sha256/#{second}//tmp/x?#{in_production}", type: OCTETS, body: 'something else')
  bucket.call('GET', "sha256/#{first}?diff_with=#{second}&#{in_production}")
  bucket.call('GET', "sha256/#{first}?diff_with=#{first}&#{in_production}")
  bucket.call('GET', "sha256/#{first}?diff_with=#{'0' * 64}&#{in_production}")
  bucket.call('GET', "sha256/#{first}?diff_with=xyz&#{in_production}")
  bucket.call('GET', "sha256/#{'0' * 64}?#{in_production}")
  bucket.call('GET', "sha256/#{'0' * 63}?#{in_production}")
  bucket.call('GET', "sha256/xyz?#{in_production}")
  bucket.call('GET', "sha256?#{in_production}")
  bucket.call('GET', "md5/#{'0' * 32}?#{in_production}")
  bucket.call('PUT', "md5/#{Digest::MD5.hexdigest('m')}//etc/m?#{in_production}", type: OCTETS, body: 'm')
  bucket.call('GET', "sha256/#{first}")
  bucket.call('GET', "sha256/#{first}?environment=nowhere")
  bucket.call('GET', "sha256/#{first}?list_all=true&#{in_production}")
  bucket.call('GET', "sha256/#{first}?#{in_production}", accept: 'application/json', label: 'json')
  bucket.call('GET', "sha256/#{first}?#{in_production}", accept: 'text/plain', label: 'text')
  bucket.call('GET', "sha256/#{first}?#{in_production}", accept: '*/*', label: 'any')
  bucket.call('GET', "sha256/#{first}?#{in_production}", accept: :none, label: 'no accept')
  bucket.call('PUT', "sha256/#{first}//etc/first?#{in_production}", type: 'text/plain', body: "first\n", label: 'text')
  bucket.call('PUT', "sha256/#{first}//etc/first?#{in_production}", body: "first\n", label: 'no type')
  bucket.call('PUT', "sha256/#{Digest::SHA256.hexdigest('')}//etc/empty?#{in_production}", type: OCTETS, body: '')
  bucket.call('POST', "sha256/#{first}?#{in_production}", type: OCTETS, body: "first\n")
  bucket.call('DELETE', "sha256/#{first}?#{in_production}")
  bucket.call('GET', "sha256/#{first}/%2e%2e/x?#{in_production}")
  bucket.call('GET', "sha256/#{first}//etc/a%20b%25c?#{in_production}")
end
ask 'HEAD', "#{V3}/file_bucket_file/sha256/#{first}?environment=production", accept: OCTETS

report = ->(name, body, query: 'environment=production', type: 'application/json', **options) { put "#{V3}/report/#{name}?#{query}", type: type, body: body, **options }
as 'agent1.test' do
  report.call('agent1.test', report_of('agent1.test'))
  report.call('agent1.test', report_of('agent1.test', 'catalog_uuid' => nil, 'environment' => nil), label: 'without catalog')
  report.call('agent1.test', report_of('agent1.test'), type: 'text/pson', label: 'pson')
  report.call('agent1.test', report_of('agent1.test'), type: 'application/json; charset=utf-8', label: 'charset')
  report.call('agent1.test', report_of('agent1.test'), type: nil, label: 'no type')
  report.call('agent1.test', report_of('agent1.test'), type: 'text/yaml', label: 'yaml')
  report.call('agent1.test', report_of('agent1.test'), type: 'text/html', label: 'html')
  report.call('agent1.test', report_of('agent1.test'), accept: :none, label: 'no accept')
  report.call('agent1.test', report_of('agent1.test'), accept: 'text/html', label: 'accept html')
  report.call('agent1.test', report_of('agent1.test'), accept: '*/*', label: 'accept any')
  report.call('agent1.test', report_of('agent2.test'), label: 'of another')
  report.call('agent2.test', report_of('agent2.test'), label: 'of another in all')
  report.call('agent1.test', '{}', label: 'empty object')
  report.call('agent1.test', '[]', label: 'list')
  report.call('agent1.test', '{"host":', label: 'torn')
  report.call('agent1.test', '', label: 'empty')
  report.call('agent1.test', 'null', label: 'null')
  report.call('agent1.test', report_of('agent1.test'), query: 'x=y', label: 'no environment')
  report.call('agent1.test', report_of('agent1.test'), query: 'environment=nowhere', label: 'nowhere')
  report.call('agent1.test', report_of('agent1.test', 'logs' => [{ 'level' => 'err', 'message' => 'wrong', 'source' => 'Puppet', 'tags' => ['err'],
                                                                   'time' => '2024-01-01T00:00:00.000000000+00:00', 'file' => nil, 'line' => nil }]), label: 'logs')
  get "#{V3}/report/agent1.test?environment=production"
  post "#{V3}/report/agent1.test?environment=production", type: 'application/json', body: report_of('agent1.test')
  delete "#{V3}/report/agent1.test?environment=production"
  put "#{V3}/report/?environment=production", type: 'application/json', body: report_of('agent1.test')
  put "#{V3}/report?environment=production", type: 'application/json', body: report_of('agent1.test')
end
report.call('agent1.test', report_of('agent1.test'))
as('san.test') { report.call('agent1.test', report_of('agent1.test')) }

facts = ->(name, document, query: 'environment=production', type: 'application/json', **options) { put "#{V3}/facts/#{name}?#{query}", type: type, body: document.is_a?(String) ? document : JSON.generate(document), **options }
as 'agent1.test' do
  facts.call('agent1.test', facts_of('agent1.test'))
  facts.call('agent1.test', facts_of('agent1.test'), type: 'text/pson', label: 'pson')
  facts.call('agent1.test', facts_of('agent1.test'), type: nil, label: 'no type')
  facts.call('agent1.test', facts_of('agent1.test'), type: 'text/html', label: 'html')
  facts.call('agent1.test', facts_of('agent1.test'), type: 'text/yaml', label: 'yaml')
  facts.call('agent1.test', facts_of('agent2.test'), label: 'of another')
  facts.call('agent2.test', facts_of('agent2.test'))
  facts.call('agent1.test', '{', label: 'torn')
  facts.call('agent1.test', '[]', label: 'list')
  facts.call('agent1.test', '{}', label: 'empty object')
  facts.call('agent1.test', facts_of('agent1.test'), query: 'x=y', label: 'no environment')
  facts.call('agent1.test', facts_of('agent1.test'), query: 'environment=nowhere', label: 'nowhere')
  facts.call('agent1.test', facts_of('agent1.test'), accept: :none, label: 'no accept')
  get "#{V3}/facts/agent1.test?environment=production"
  head "#{V3}/facts/agent1.test?environment=production"
end
facts.call('agent1.test', facts_of('agent1.test'))
