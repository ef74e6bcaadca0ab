# frozen_string_literal: true

Puppet::Functions.create_function(:'api::util') do
  dispatch :run do
    param 'String', :what
  end

  include Puppet::Util

  def run(what)
    u = Puppet::Util
    case what
    when 'paths' then [u.absolute_path?('/a'), u.absolute_path?('a'), u.absolute_path?('C:/a', :windows), u.path_to_uri('/a b').to_s, u.uri_to_path(URI('file:///a%20b')), u.uri_encode('/a b?c'), u.uri_query_encode('a b&c')]
    when 'which' then [u.which('sh').nil?, u.which('nothing_like_it').nil?]
    when 'execute' then [u::Execution.execute(%w[echo hi]).to_s, u::Execution.execute('echo a; exit 3', failonfail: false).exitstatus]
    when 'execute_fails' then u::Execution.execute(%w[false])
    when 'symbolize' then u.symbolizehash('a' => 1).keys.map(&:class).map(&:name)
    when 'versioncmp' then [u::Package.versioncmp('1.10', '1.9'), u::Package.versioncmp('1.0', '1.0')]
    when 'json' then [u::Json.load('{"a": [1]}'), u::Json.dump({ 'a' => 1 }), (u::Json.load('{') rescue 'bad')]
    when 'yaml' then [u::Yaml.safe_load("a: 1\nb: [x]\n"), (u::Yaml.safe_load("a: [") rescue $!.class.name), u::Yaml.safe_load(":a: 1", [Symbol]).keys.first.to_s]
    when 'checksums' then [Digest::MD5.hexdigest('a'), Class.new { include Puppet::Util::Checksums }.new.then { |c| [c.md5('a'), c.sha256('a')[0, 8], c.sha256lite('a')[0, 8], c.md5lite('x' * 600)[0, 8], c.checksum?('{md5}abc'), c.sumdata('{md5}abc'), c.sumtype('{sha256}x').to_s] }]
    when 'deterministic' then [u.deterministic_rand(5, 100), u.deterministic_rand_int(5, 100)]
    when 'capitalize' then Puppet::Pops::Types::TypeFormatter.singleton.capitalize_segments('a::b')
    when 'errors' then (raise Puppet::Error, 'e' rescue [$!.class.name, $!.message, $!.is_a?(StandardError)])
    when 'parse_error' then (raise Puppet::ParseError.new('m', 'f.pp', 5) rescue [$!.message, $!.line, $!.file])
    when 'libraries' then [require('time'), Time.parse('2020-01-01 00:00:00 UTC').year, require('ipaddr') && IPAddr.new('10.0.0.0/8').include?('10.1.1.1'), require('securerandom') && SecureRandom.hex(4).size, require('openssl') && OpenSSL::Digest::SHA256.hexdigest('a')[0, 6], require('base64') && Base64.strict_encode64('a'), require('erb') && ERB.new('<%= 1 + 1 %>').result, require('tempfile') && Tempfile.create('x') { |f| File.exist?(f.path) }, require('net/http') && Net::HTTP.name, require('shellwords') && 'a b'.shellescape, require('pathname') && Pathname.new('/a/b').basename.to_s, require('English') && true, require('bigdecimal') && BigDecimal('1.5').to_s, require('csv') && CSV.parse_line('a,b'), require('etc') && Etc.getpwuid(0).name, require('socket') && Socket.gethostname.class.name, require('fileutils') && FileUtils.name, require('timeout') && Timeout.timeout(5) { 1 }].drop(1)
    when 'gem' then require('concurrent') && Concurrent::Map.name
    when 'no_such_library' then require('nothing/like/it')
    when 'helper'
      require_relative '../../../puppet_x/api/helper'
      PuppetX::Api::Helper.help('x')
    when 'require_helper'
      require 'puppet_x/api/helper'
      PuppetX::Api.const_defined?(:Helper)
    when 'tr' then _('text %{a}') % { a: 1 }
    when 'thread' then Thread.new { 5 }.value
    when 'stdout' then puts('to stdout') || $stdout.puts('x') || print('y')
    when 'env' then ENV['HOME'].class.name
    when 'exit' then exit(3)
    when 'abort' then abort('out')
    when 'at_exit' then at_exit { puts 'x' }.class.name
    when 'throw' then throw :nothing
    when 'catch' then catch(:x) { throw :x, 5 }
    when 'stack_overflow' then run('stack_overflow')
    when 'frozen_error' then 'abc'.freeze << 'd'
    when 'key_error' then { 'a' => 1 }.fetch('b')
    when 'name_error' then nothing_like_it
    when 'zero' then 1 / 0
    when 'type_error' then 1 + 'a'
    when 'custom' then raise(Class.new(StandardError), 'of its own')
    when 'script_error' then raise(NotImplementedError, 'later')
    when 'interrupt' then raise(Interrupt, 'stop')
    when 'security' then raise(SecurityError, 'sec')
    end
  end
end
