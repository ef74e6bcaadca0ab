require_relative 'own_json'
require 'fileutils'
require 'json'
require 'tmpdir'
require 'puppet'
require 'puppet/pops'
require 'puppet/pops/pn'
require 'puppet/face'

require_relative 'rich_data'
require_relative 'failure'
require_relative 'syntax'
require_relative 'evaluation'
require_relative 'compilation'

# Queries the installed reference. One warm process answers any number of requests; each request is
# a hash with "product" and the arguments of that product (see `reference --help`), and each answer
# is a hash.
module Oracle
  class Session
    include Syntax
    include Evaluation
    include Compilation

    PRODUCTS = %w[tokens dump validate eval catalog lookup epp].freeze

    # Settings that this project assumes where the reference of this version has another default.
    SETTINGS = { 'strict' => 'error', 'strict_variables' => true, 'rich_data' => true }.freeze

    def initialize
      @home = Dir.mktmpdir('oracle')
      at_exit { FileUtils.remove_entry(@home) if Process.pid == @owner }
      @owner = Process.pid
      directories = %w[confdir vardir codedir logdir rundir publicdir].flat_map do |name|
        ["--#{name}", File.join(@home, name)]
      end
      Puppet.initialize_settings(directories, false, true)
      Puppet.settings.preferred_run_mode = :server
      Puppet::SSL::Oids.register_puppet_oids
      @default_settings = SETTINGS
      @logs = []
      Puppet::Util::Log.newdestination(Puppet::Test::LogCollector.new(@logs))
    end

    def answer(request)
      @logs.clear
      # Warnings that are shown once for each process are shown once for each request.
      $unique_warnings = $deprecation_warnings = nil
      Puppet::Util::Warnings.clear_warnings
      forget_formatter
      result = with_settings(request) { produce(request) }
      @logs.pop if repeated?(result)
      result = result.merge('logs' => logs) unless logs.empty?
      request.key?('id') ? { 'id' => request['id'] }.merge(result) : result
    end

    private

    def produce(request)
      product = request['product']
      raise ArgumentError, "unknown product '#{product}'" unless PRODUCTS.include?(product)
      send("answer_#{product}", request)
    rescue StandardError, SystemStackError, ScriptError, SecurityError => e
      Failure.describe(e)
    end

    # Whether the last record only repeats the error that ended the run.
    def repeated?(result)
      last = @logs.last
      result.key?('error') && last&.level == :err && result['message'].include?(last.message)
    end

    def with_settings(request)
      wanted = @default_settings.merge(request['settings'] || {})
      known = wanted.select { |name, _| Puppet.settings.setting(name.to_sym) }
      before = known.to_h { |name, _| [name, Puppet[name.to_sym]] }
      known.each { |name, value| Puppet[name.to_sym] = value }
      Puppet::Util::Log.level = (request['log_level'] || 'notice').to_sym
      yield
    ensure
      before&.each { |name, value| Puppet[name.to_sym] = value }
    end

    # After writing one type set, the formatter of types continues as if it were within it.
    def forget_formatter
      Thread.current.thread_variable_set(:"#{Puppet::Pops::Types::TypeFormatter.name}.singleton", nil)
    end

    def logs
      @logs.map do |log|
        record = { 'level' => log.level.to_s, 'message' => log.message, 'source' => log.source,
                   'issue_code' => log.issue_code&.to_s,
                   'file' => log.file, 'line' => log.line, 'pos' => log.pos, 'tags' => log.tags.to_a }
        record.compact
      end
    end
  end
end
