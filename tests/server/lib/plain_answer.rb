# frozen_string_literal: true

# Answers without what differs between runs and machines.
require 'json'
require 'openssl'

# Makes answers comparable; the result is plain data for JSON.
class PlainAnswer
  # X-Puppet-Compiler-Name is omitted: the reference sends it since version 8.
  FIELDS = %w[content-type allow etag retry-after content-encoding location].freeze

  def initialize(top, port)
    @top = top
    @port = port
  end

  def of(request, answer)
    return { 'request' => request.name, 'status' => 0 } if answer.status.zero?

    fields = FIELDS.filter_map { |name| [name, field(name, answer.fields[name])] if answer.fields[name] }.to_h
    # Clients do not use the type of an empty body.
    comparable = body(request, answer)
    comparable = '' if comparable == 'Not Found' && answer.status == 404
    fields.delete('content-type') if comparable == ''
    # A missing type is equivalent to text.
    fields.delete('content-type') if fields['content-type'] == 'text/plain' && answer.status == 404
    { 'request' => request.name, 'status' => answer.status, 'fields' => fields, 'body' => comparable }
  end

  private

  def field(name, text)
    return 'present' if %w[etag retry-after].include?(name)

    # Agents remove the parameters.
    name == 'content-type' ? text.downcase[/\A[^;]*/].strip : text.downcase.gsub(@top, '<site>')
  end

  def body(request, answer)
    if answer.type.end_with?('json', 'pson') && !answer.body.empty?
      begin
        found = JSON.parse(answer.body)
        # The framework's page for a path without a handler.
        return 'Not Found' if answer.status == 404 && found.is_a?(Hash) && found.keys.sort == %w[message status url]

        found = data(found)
        # Clojure maps are unordered.
        found = in_order(found) unless request.target.match?(%r{\A/puppet/v[34]/(catalog|node|file|report|facts)})
        return shaped(request.shape, found)
      rescue JSON::ParserError
        return text(answer.body)
      end
    end
    return { 'hexadecimal' => answer.body.unpack1('H*') } unless answer.body.dup.force_encoding('UTF-8').valid_encoding?

    text(answer.body)
  end

  def text(body)
    body = body.dup.force_encoding('UTF-8').scrub('?')
    return '<page>' if body.include?('<html>') || body.include?('<!DOCTYPE')
    return pem(body) if body.include?('-----BEGIN')

    body.gsub(@top, '<site>').gsub(/localhost:#{@port}/, 'localhost:<port>').gsub(/\b\h{8}-\h{4}-\h{4}-\h{4}-\h{12}\b/, '<uuid>')
        .gsub(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(UTC|Z|[+-]\d\d:\d\d)/, '<time>').gsub(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)? [+-]\d{4}/, '<time>')
        .gsub(/\b(\h{2}:){19,}\h{2}\b/, '<fingerprint>').gsub(/[\w.]+(\$[\w.]+)*@\h{6,8}\b/, '<object>')
  end

  # The fields of a certificate; keys and times differ in each run.
  def pem(body)
    found = body.scan(/(-----BEGIN ([A-Z0-9 ]+)-----.*?-----END \2-----)/m).map do |block, kind|
      case kind
      when 'CERTIFICATE' then certificate(OpenSSL::X509::Certificate.new(block))
      when 'X509 CRL' then list(OpenSSL::X509::CRL.new(block))
      when /REQUEST/ then { 'request' => OpenSSL::X509::Request.new(block).subject.to_s }
      else { 'pem' => kind }
      end
    end
    in_order(found)
  end

  def certificate(found)
    { 'certificate' => found.subject.to_s, 'issuer' => found.issuer.to_s, 'version' => found.version, 'days' => ((found.not_after - found.not_before) / 86_400).round,
      'algorithm' => found.signature_algorithm.downcase,
      'extensions' => found.extensions.map { |one| [one.oid, one.critical?, one.oid.include?('KeyIdentifier') ? '<identifier>' : one.value] }.sort }
  end

  def list(found)
    { 'list' => found.issuer.to_s, 'version' => found.version, 'revoked' => found.revoked.map { |one| one.serial.to_i }.sort,
      'extensions' => found.extensions.map(&:oid).sort }
  end

  def data(value, key = nil)
    case value
    when Hash then value.to_h { |name, part| [text(name), data(part, name)] }
    when Array then sorted(value.map { |part| data(part) })
    when String then key == 'catalog_uuid' ? '<uuid>' : text(value)
    when Integer then key == 'version' && value > 1_000_000_000 ? '<time>' : value
    else value
    end
  end

  # A directory's order depends on the file system.
  def sorted(list)
    list.all? { |part| part.is_a?(Hash) && part.key?('relative_path') } ? list.sort_by { |part| [part['relative_path'].to_s, part['path']] } : list
  end

  def shaped(shape, value)
    case shape
    when :keys then keys(value)
    when :sorted_names then value.is_a?(Array) ? value.sort_by { |one| one['name'].to_s } : value
    when :sorted_files then value.is_a?(Hash) && value['files'] ? value.merge('files' => value['files'].sort_by { |one| one['path'] }) : value
    else value
    end
  end

  def in_order(value)
    case value
    when Hash then value.sort.to_h { |name, part| [name, in_order(part)] }
    when Array then value.map { |part| in_order(part) }
    else value
    end
  end

  # The structure, without values.
  def keys(value)
    case value
    when Hash then value.sort.to_h { |name, part| [name, keys(part)] }
    when Array then value.empty? ? [] : [keys(value.first)]
    when Numeric then 0
    when String then ''
    else value
    end
  end
end
