# Puppet::HTTP: the client that Puppet.runtime[:http] returns.

# frozen_string_literal: true

require 'net/http'
require 'openssl'
require 'uri'

module Puppet
  module HTTP # rubocop:disable Style/Documentation
    HTTPError = Class.new(Error)
    ConnectionError = Class.new(HTTPError)
    ConnectionTimeoutError = Class.new(ConnectionError)
    RouteError = Class.new(HTTPError)
    ProtocolError = Class.new(HTTPError)
    SerializationError = Class.new(HTTPError)

    class ResponseError < HTTPError # rubocop:disable Style/Documentation
      attr_reader :response

      def initialize(response)
        super(response.reason)
        @response = response
      end
    end

    class TooManyRedirects < HTTPError # rubocop:disable Style/Documentation
      def initialize(address)
        super("Too many HTTP redirections for #{address}")
      end
    end

    # The answer of a server.
    class Response
      attr_reader :url, :code, :reason, :body

      def initialize(url, answer)
        @url = url
        @answer = answer
        @code = answer.code.to_i
        @reason = answer.message
        @body = answer.body.to_s
      end

      def success?
        @answer.is_a?(Net::HTTPSuccess)
      end

      def [](name)
        @answer[name]
      end

      def each_header(&block)
        @answer.each_header(&block)
      end

      def read_body
        yield @body
      end
    end

    # Certificates and key for connections over TLS.
    SSLContext = Struct.new(:store, :certificate, :key, :verify_peer)

    # Sends requests. Options are those of the reference: basic_auth, ssl_context,
    # include_system_store, redirect_limit.
    class Client
      METHODS = { get: Net::HTTP::Get, head: Net::HTTP::Head, delete: Net::HTTP::Delete, put: Net::HTTP::Put,
                  post: Net::HTTP::Post }.freeze
      REDIRECTS = [301, 302, 307].freeze

      %i[get head delete].each do |name|
        define_method(name) do |url, headers: {}, params: {}, options: {}, &block|
          request(METHODS[name], url, nil, headers, params, options, &block)
        end
      end

      %i[put post].each do |name|
        define_method(name) do |url, body, headers: {}, params: {}, options: {}, &block|
          raise ::ArgumentError, "'#{name}' requires a string 'body' argument" unless body.is_a?(String)

          request(METHODS[name], url, body, headers, params, options, &block)
        end
      end

      def close; end

      private

      def request(kind, url, body, headers, params, options)
        raise ::ArgumentError, 'The URL must be a URI' unless url.is_a?(URI)

        url = with_parameters(url, params)
        limit = options[:redirect_limit] || 10
        answer = nil
        (limit + 1).times do |i|
          raise TooManyRedirects, url if i == limit

          answer = send_one(kind.new(url, headers.transform_keys(&:to_s)), url, body, options)
          break unless REDIRECTS.include?(answer.code.to_i) && answer['location']

          url = URI.join(url.to_s, answer['location'])
        end
        response = Response.new(url, answer)
        yield response if block_given?
        response
      end

      def send_one(message, url, body, options)
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        message.body = body if body
        login = options[:basic_auth]
        message.basic_auth(login[:user], secret(login[:password])) if login
        connection = connect(url, options)
        connection.request(message)
      rescue Net::OpenTimeout, Net::ReadTimeout, SystemCallError, SocketError, IOError, OpenSSL::SSL::SSLError => error
        fail_with(url, error, Process.clock_gettime(Process::CLOCK_MONOTONIC) - started)
      ensure
        connection&.finish if connection&.started?
      end

      def fail_with(url, error, seconds)
        is_late = error.is_a?(Net::OpenTimeout) || error.is_a?(Net::ReadTimeout)
        text = "Request to #{url} #{is_late ? 'timed out' : 'failed'} after #{seconds.round(3)} seconds: #{error.message}"
        raise((is_late ? ConnectionTimeoutError : ConnectionError).new(text, error))
      end

      def connect(url, options)
        http = Net::HTTP.new(url.host, url.port)
        use_tls(http, options) if url.scheme == 'https'
        http.start
      end

      def use_tls(http, options)
        context = options[:ssl_context] || default_context(options[:include_system_store])
        http.use_ssl = true
        http.cert_store = context.store
        http.cert = context.certificate
        http.key = context.key
        http.verify_mode = context.verify_peer == false ? OpenSSL::SSL::VERIFY_NONE : OpenSSL::SSL::VERIFY_PEER
      end

      # The site's own authority and, where this machine has them, its certificate and key.
      def default_context(include_system)
        store = OpenSSL::X509::Store.new
        authority = Puppet[:localcacert].to_s
        has_authority = File.readable?(authority)
        store.add_file(authority) if has_authority
        store.set_default_paths if include_system || !has_authority
        files = [Puppet[:hostcert], Puppet[:hostprivkey]].map(&:to_s)
        return SSLContext.new(store) unless files.all? { |path| File.readable?(path) }

        SSLContext.new(store, OpenSSL::X509::Certificate.new(File.read(files[0])),
                       OpenSSL::PKey.read(File.read(files[1])))
      end

      def with_parameters(url, params)
        return url if params.empty?

        query = params.map { |name, value| "#{name}=#{Util.uri_query_encode(value.to_s)}" }
        url.dup.tap { |one| one.query = query.join('&') }
      end

      def secret(value)
        value.respond_to?(:unwrap) ? value.unwrap : value
      end
    end
  end
end
