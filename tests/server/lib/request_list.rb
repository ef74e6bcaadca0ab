# frozen_string_literal: true

# The requests for both servers, in order: later requests see the changes of earlier ones. Each file of
# requests/ is one area, and is evaluated in a RequestList.
require 'json'
require 'openssl'
require 'uri'

ServerRequest = Struct.new(:name, :method, :target, :client, :fields, :body, :shape, keyword_init: true)

# Collects requests; its methods are the vocabulary of the files.
class RequestList
  attr_reader :requests

  def initialize(authority)
    @authority = authority
    @requests = []
    @names = Hash.new(0)
    @key = OpenSSL::PKey::RSA.new(2048)
  end

  def read(path)
    instance_eval(File.read(path), path)
    self
  end

  # Until the end of the block, requests come from this client.
  def as(client)
    before = @client
    @client = client
    yield
  ensure
    @client = before
  end

  # With :none the header field is omitted.
  def ask(method, target, accept: 'application/json', type: nil, body: nil, fields: {}, shape: nil, label: nil)
    all = {}
    all['Accept'] = accept unless accept == :none
    all['Content-Type'] = type if type
    all.merge!(fields)
    name = [@client || 'anyone', method, target, label].compact.join(' ')
    name = "#{name} ##{@names[name]}" if (@names[name] += 1) > 1
    @requests << ServerRequest.new(name: name, method: method, target: target, client: @client, fields: all, body: body, shape: shape)
  end

  def get(target, **options) = ask('GET', target, **options)
  def put(target, **options) = ask('PUT', target, **options)
  def post(target, **options) = ask('POST', target, **options)
  def head(target, **options) = ask('HEAD', target, **options)
  def delete(target, **options) = ask('DELETE', target, **options)

  # --- bodies ---

  V3 = '/puppet/v3'
  CA = '/puppet-ca/v1'
  PEM = 'text/plain'
  OCTETS = 'application/octet-stream'
  FORM = 'application/x-www-form-urlencoded'
  RICH = 'application/vnd.puppet.rich+json, application/json'

  # The form data that an agent sends.
  def form(values) = values.map { |name, value| "#{name}=#{URI.encode_www_form_component(value).gsub('+', '%20')}" }.join('&')

  def facts_of(name, values = { 'kernel' => 'Linux' })
    { 'name' => name, 'values' => values, 'timestamp' => '2024-01-01T00:00:00.000000000+00:00', 'expiration' => '2034-01-01T00:00:00.000000000+00:00' }
  end

  def escaped(document) = URI.encode_www_form_component(document.is_a?(String) ? document : JSON.generate(document)).gsub('+', '%20')

  def catalog_form(name, extra = {}, facts: facts_of(name))
    form({ 'facts_format' => 'application/json', 'facts' => escaped(facts), 'environment' => 'production', 'configured_environment' => 'production',
           'transaction_uuid' => '11111111-2222-4333-8444-555555555555', 'static_catalog' => 'false',
           'checksum_type' => 'sha256.sha384.sha512.sha224.md5' }.merge(extra))
  end

  def report_of(host, extra = {})
    JSON.generate({ 'host' => host, 'time' => '2024-01-01T00:00:00.000000000+00:00', 'configuration_version' => 1, 'transaction_uuid' => '1',
                    'report_format' => 12, 'puppet_version' => '7.23.0', 'status' => 'unchanged', 'noop' => false, 'noop_pending' => false,
                    'environment' => 'production', 'corrective_change' => false, 'logs' => [], 'resource_statuses' => {}, 'metrics' => {},
                    'cached_catalog_status' => 'not_used' }.merge(extra))
  end

  # A certificate request. extensions: OID => text; key: a key other than the default.
  def signing_request(name, names: nil, extensions: {}, key: @key, digest: 'SHA256', subject: [['CN', name]], signed_by: key)
    request = OpenSSL::X509::Request.new
    request.version = 0
    request.subject = OpenSSL::X509::Name.new(subject)
    request.public_key = key
    list = extensions.map { |oid, text| OpenSSL::X509::Extension.new(oid, OpenSSL::ASN1::UTF8String(text).to_der, false) }
    list.unshift(OpenSSL::X509::ExtensionFactory.new.create_extension('subjectAltName', names)) if names
    unless list.empty?
      value = OpenSSL::ASN1::Set([OpenSSL::ASN1::Sequence(list)])
      request.add_attribute(OpenSSL::X509::Attribute.new('extReq', value))
    end
    request.sign(signed_by, OpenSSL::Digest.new(digest))
    request.to_pem
  end
end
