# frozen_string_literal: true

# A proxy between agents and a server, which terminates TLS, passes the client's name in header fields, and applies a fault to one kind
# of request.
require 'openssl'
require 'socket'

# `fault` is [part of the path, [:cut, bytes] | [:wait, seconds] | [:status, number] | [:garbage, _]], or nil.
class Meddler
  attr_reader :hits, :seen

  def initialize(port, plain_port, certificate, key, authorities)
    @plain_port = plain_port
    @hits = 0
    @seen = 0
    context = OpenSSL::SSL::SSLContext.new
    context.cert = OpenSSL::X509::Certificate.new(File.read(certificate))
    context.key = OpenSSL::PKey.read(File.read(key))
    context.ca_file = authorities
    context.verify_mode = OpenSSL::SSL::VERIFY_PEER
    @plain = TCPServer.new('127.0.0.1', port)
    listener = OpenSSL::SSL::SSLServer.new(@plain, context)
    listener.start_immediately = false
    @thread = Thread.new { loop { Thread.new(listener.accept) { |socket| serve(socket) } } }
    @thread.report_on_exception = false
  end

  def fault=(fault)
    @hits = 0
    @fault = fault
  end

  def stop
    @thread.kill
    @plain.close
  end

  private

  def serve(socket)
    socket.accept
    name = socket.peer_cert&.subject&.to_a&.assoc('CN')&.at(1)
    while (head = read_head(socket))
      @seen += 1
      body = socket.read(head[/^content-length: *(\d+)/i, 1].to_i)
      answer = ask(head, body, name)
      return unless give(socket, head.lines.first.split[1], answer)
    end
  rescue OpenSSL::SSL::SSLError, SystemCallError, IOError
    nil
  ensure
    socket.close
  end

  def read_head(socket)
    head = +''
    while (line = socket.gets)
      return head if line == "\r\n"

      head << line
    end
  end

  def ask(head, body, name)
    upstream = TCPSocket.new('127.0.0.1', @plain_port)
    identity = name ? "X-Client-Verify: SUCCESS\r\nX-Client-DN: CN=#{name}\r\n" : ''
    upstream.write("#{head}#{identity}Connection: close\r\n\r\n#{body}")
    upstream.read.sub("Connection: close\r\n", '')
  ensure
    upstream&.close
  end

  # Returns false when the connection is to be closed.
  def give(socket, path, answer)
    part, (kind, value) = @fault
    if part.nil? || !path.include?(part)
      socket.write(answer)
      return true
    end
    @hits += 1
    case kind
    when :cut then socket.write(answer[0, value.negative? ? answer.bytesize - 1 : value]) unless value.zero?
    when :wait then sleep(value)
    when :status then socket.write("HTTP/1.1 #{value} No\r\nContent-Type: text/plain\r\nContent-Length: 2\r\nConnection: close\r\n\r\nno")
    when :garbage then socket.write("\x00\xffHTTP nothing\r\n\r\n")
    end
    false
  end
end
