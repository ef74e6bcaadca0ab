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
      attr_reader :url, :code, :reason, :body, :answer

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
    SSLContext = Struct.new(:store, :certificate, :key, :verify_peer) do
      # The site's own authority and, where this machine has them, its certificate and key.
      def self.of_site(include_system)
        store = OpenSSL::X509::Store.new
        authority = Puppet[:localcacert].to_s
        has_authority = File.readable?(authority)
        store.add_file(authority) if has_authority
        store.set_default_paths if include_system || !has_authority
        files = [Puppet[:hostcert], Puppet[:hostprivkey]].map(&:to_s)
        return new(store) unless files.all? { |path| File.readable?(path) }

        new(store, OpenSSL::X509::Certificate.new(File.read(files[0])), OpenSSL::PKey.read(File.read(files[1])))
      end
    end

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
        context = options[:ssl_context] || SSLContext.of_site(options[:include_system_store])
        http.use_ssl = true
        http.cert_store = context.store
        http.cert = context.certificate
        http.key = context.key
        http.verify_mode = context.verify_peer == false ? OpenSSL::SSL::VERIFY_NONE : OpenSSL::SSL::VERIFY_PEER
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

  module SSL
    # Makes what connections over TLS need. Lists of revoked certificates are not checked.
    class SSLProvider
      def create_insecure_context
        HTTP::SSLContext.new(OpenSSL::X509::Store.new, nil, nil, false)
      end

      def create_root_context(cacerts:, **)
        HTTP::SSLContext.new(store_of(cacerts))
      end

      def create_system_context(cacerts:, **)
        HTTP::SSLContext.new(store_of(cacerts).tap(&:set_default_paths))
      end

      def load_context(include_system_store: false, **)
        HTTP::SSLContext.of_site(include_system_store)
      end

      private

      def store_of(certificates)
        OpenSSL::X509::Store.new.tap { |store| certificates.each { |one| store.add_cert(one) } }
      end
    end
  end

  module Network
    # The older interface of the client; its answers are objects of Net::HTTPResponse.
    module HttpPool
      class << self
        # Without a context, connections over TLS use the site's own authority.
        def http_instance(host, port, use_ssl = true, verify_peer = true)
          deprecate('http_instance')
          Connection.new(host, port, use_ssl, verify_peer ? nil : SSL::SSLProvider.new.create_insecure_context)
        end

        def connection(host, port, use_ssl: true, ssl_context: nil)
          deprecate('connection')
          if use_ssl && !ssl_context
            raise ::ArgumentError, "An ssl_context is required when connecting to 'https://#{host}:#{port}'"
          end

          unless use_ssl || ssl_context.nil?
            Puppet.warning("An ssl_context is unnecessary when connecting to 'http://#{host}:#{port}' and will be ignored")
          end
          Connection.new(host, port, use_ssl, ssl_context)
        end

        private

        def deprecate(method)
          Puppet.warn_once('deprecations', self, "The method 'Puppet::Network::HttpPool.#{method}' is deprecated. Use Puppet.runtime[:http] instead")
        end
      end

      # Requests to one server. Paths have the query.
      class Connection
        attr_reader :address, :port

        def initialize(host, port, use_ssl, ssl_context)
          @address = host
          @port = port
          @scheme = use_ssl ? 'https' : 'http'
          @ssl_context = ssl_context
        end

        def use_ssl?
          @scheme == 'https'
        end

        %i[get head delete].each do |name|
          define_method(name) do |path, headers = {}, options = {}|
            client.public_send(name, url(path), headers: headers, options: options.merge(ssl_context: @ssl_context)).answer
          end
        end

        %i[put post].each do |name|
          define_method(name) do |path, data, headers = nil, options = {}|
            client.public_send(name, url(path), data, headers: headers || {}, options: options.merge(ssl_context: @ssl_context)).answer
          end
        end

        private

        def client
          Puppet.runtime[:http]
        end

        def url(path)
          URI("#{@scheme}://#{@address}:#{@port}/#{path.delete_prefix('/')}")
        end
      end
    end
  end
end
