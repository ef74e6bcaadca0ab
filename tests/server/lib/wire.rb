# frozen_string_literal: true

# One request over TLS, sent literally, and its answer, unprocessed.
require 'openssl'
require 'socket'
require 'stringio'
require 'timeout'
require 'zlib'

# An answer; the names of its header fields are in lower case.
Answer = Struct.new(:status, :fields, :body, :failure) do
  def type = fields['content-type'].to_s[/\A[^;]*/].strip
end

# Sends requests to a server on this machine.
class Wire
  def initialize(port, authority, seconds: 60)
    @port = port
    @authority = authority
    @seconds = seconds
  end

  def ask(method, target, client: nil, fields: {}, body: nil)
    lines = ["#{method} #{target} HTTP/1.1", "Host: localhost:#{@port}"]
    fields = { 'Connection' => 'close' }.merge(fields)
    fields = { 'Content-Length' => body.bytesize.to_s }.merge(fields) if body && !fields.key?('Transfer-Encoding')
    fields.each { |name, value| Array(value).each { |one| lines << "#{name}: #{one}" } }
    ask_raw("#{lines.join("\r\n")}\r\n\r\n#{body}".b, client: client, is_head: method == 'HEAD')
  end

  # Sends the bytes unchanged.
  def ask_raw(bytes, client: nil, is_head: false)
    Timeout.timeout(@seconds) do
      stream = connect(client)
      begin
        stream.write(bytes)
        read_answer(stream, is_head)
      ensure
        stream.close
      end
    end
  rescue OpenSSL::SSL::SSLError, SystemCallError, EOFError => e
    Answer.new(0, {}, '', e.message)
  rescue Timeout::Error
    Answer.new(0, {}, '', 'no answer in time')
  end

  def connect(client = nil)
    context = OpenSSL::SSL::SSLContext.new
    context.verify_mode = OpenSSL::SSL::VERIFY_NONE
    if client
      found = @authority.client(client)
      context.cert = found.certificate
      context.key = found.key
    end
    socket = TCPSocket.new('127.0.0.1', @port)
    stream = OpenSSL::SSL::SSLSocket.new(socket, context)
    stream.sync_close = true
    stream.hostname = 'localhost'
    stream.connect
    stream
  end

  def read_answer(stream, is_head)
    line = stream.gets or raise EOFError, 'closed without an answer'
    status = line[%r{\AHTTP/1\.[01] (\d{3})}, 1].to_i
    fields = {}
    while (line = stream.gets) && line != "\r\n"
      name, value = line.chomp.split(/:\s*/, 2)
      fields[name.downcase] = [fields[name.downcase], value].compact.join(', ')
    end
    body = is_head || status == 304 || status == 204 ? +'' : read_body(stream, fields)
    body = Zlib::GzipReader.new(StringIO.new(body)).read if fields['content-encoding'] == 'gzip' && !body.empty?
    Answer.new(status, fields, body, nil)
  end

  private

  def read_body(stream, fields)
    return read_chunks(stream) if fields['transfer-encoding'].to_s.include?('chunked')
    return stream.read(fields['content-length'].to_i) || +'' if fields['content-length']

    stream.read.to_s
  end

  def read_chunks(stream)
    body = +''.b
    while (size = stream.gets.to_s[/\A\h+/]&.to_i(16))
      break if size.zero?

      body << stream.read(size)
      stream.gets
    end
    body
  end
end
