require_relative 'own_json'
require 'fileutils'
require 'json'
require 'socket'
require 'tmpdir'
require 'puppet'
require 'puppet/face'
require 'puppet/file_serving/metadata'
require 'puppet/indirector/catalog/compiler'
require 'puppet/util/command_line'
%w[catalog lookup epp parser generate config].each { |name| require "puppet/application/#{name}" }

module Oracle
  # The reference's own command line. It is loaded once; each command runs in a fork of this process.
  class CommandReference
    # The result of a run: standard output, log records as its console shows them, and whether it
    # succeeded.
    Answer = Struct.new(:out, :log, :success)

    SETTINGS = %w[--strict=error --strict_variables --color=false].freeze
    # Seconds.
    LONGEST = 60

    # The directories of an agent's state are not needed here, and creating them takes longer than a
    # command.
    module NoDirectories
      def use(*); end
    end

    # Facts of this machine, determined once: each new Facter would determine them again. Together they are the facts of
    # --facts.
    module RememberedFacts
      def value(name)
        facts = CommandReference.facts
        facts.key?(name.to_s) ? facts[name.to_s] : facts[name.to_s] = super
      end

      def to_hash
        CommandReference.given_facts
      end

      def reset; end
    end

    # Records for the console.
    module Collected
      NAMES = { emerg: 'Emergency', alert: 'Alert', crit: 'Critical', err: 'Error', warning: 'Warning', notice: 'Notice', info: 'Info', debug: 'Debug' }.freeze

      def handle(record)
        # A command that could not be executed reports this in its own output.
        return super unless [Process.pid, nil].include?(CommandReference.pid)
        text = record.respond_to?(:multiline) ? record.multiline : record.to_s
        text = "#{record.source}: #{text}" unless record.source == 'Puppet'
        CommandReference.log << "#{NAMES[record.level]}: #{text.chomp}\n"
      end
    end

    # The trusted data of the catalog's node; the reference's command line sets the name there only with facts from Facter.
    module NamedNode
      def local(node)
        return super if node.nil? || node.parameters['clientcert']
        new('local', node.name, {}, proc { retrieve_trusted_external(node.name) })
      end
    end

    # A catalog request like that of an agent, with the command line's options for static catalogs.
    module AgentRequest
      def find(request)
        translation = CommandReference.translation
        return super unless translation.value('--code-id')
        request.options.merge!(static_catalog: translation.static?, code_id: translation.value('--code-id'),
                               checksum_type: Puppet[:supported_checksum_types].join('.'))
        super
      end
    end

    # The reference's lookup prints nothing when it finds nothing (D281).
    module ToldFailure
      def report_text
        super
        Puppet.err(yield) if @explainer.nil? && caller_locations(1, 1).first.path.end_with?('application/lookup.rb')
      end
    end

    class << self
      attr_accessor :pid, :given_facts, :translation

      def log
        @log ||= []
      end

      def facts
        @facts ||= {}
      end
    end

    def initialize
      Puppet::Util::Log::DestConsole.prepend(Collected)
      Puppet::Settings.prepend(NoDirectories)
      Puppet::FacterImpl.prepend(RememberedFacts)
      Puppet::Pops::Lookup::Invocation.prepend(ToldFailure)
      Puppet::Context::TrustedInformation.singleton_class.prepend(NamedNode)
      Puppet::Resource::Catalog::Compiler.prepend(AgentRequest)
      # Like a server; a command would query a server.
      Puppet::FileServing::Metadata.indirection.terminus_class = :file_server
      %w[hostname domain fqdn ipaddress ipaddress6 kernel].each { |name| Puppet.runtime[:facter].value(name) }
      load_what_commands_load
    end

    def answer(translation, directory, environment)
      Dir.mktmpdir('oracle-command') do |home|
        keep_facts(translation, directory, home)
        pid = fork { run(translation, directory, environment, home) }
        wait_for(pid)
        raise CommandTranslation::NotComparable, 'the reference crashes' unless File.exist?("#{home}/success")
        success = JSON.parse(File.read("#{home}/success"))[0]
        Answer.new(read("#{home}/out"), read("#{home}/log") + read("#{home}/err"), success)
      end
    end

    private

    # Loads everything that a first catalog loads, for all forks.
    def load_what_commands_load
      reading, writing = IO.pipe
      pid = fork do
        at_exit { writing.write(Marshal.dump($LOADED_FEATURES)) }
        $stdout.reopen(File::NULL)
        Dir.mktmpdir { |home| Puppet::Util::CommandLine.new('puppet', ['catalog', 'compile', 'n', '--code', "file { '/a': }", "--confdir=#{home}", "--vardir=#{home}", "--certname=n"]).execute }
      end
      writing.close
      files = (Marshal.load(reading.read) - $LOADED_FEATURES).grep(%r{/puppet/(parser|pops|type|resource|node|indirector|file_serving)})
      files.each { |file| require file }
      Process.wait(pid)
    end

    def read(file)
      File.exist?(file) ? File.read(file, encoding: 'UTF-8') : ''
    end

    def wait_for(pid)
      waiting = Process.detach(pid)
      return if waiting.join(LONGEST)
      Process.kill(:KILL, pid)
      waiting.join
      raise CommandTranslation::NotComparable, "the reference comes to no end within #{LONGEST} s"
    end

    # Runs in the process of one command. Never returns.
    def run(translation, directory, environment, home)
      self.class.pid = Process.pid
      self.class.translation = translation
      self.class.log.clear
      ENV.replace(environment)
      Dir.chdir(directory)
      $stdin.reopen(File::NULL)
      $stdout.reopen("#{home}/out", 'w')
      $stderr.reopen("#{home}/err", 'w')
      words = translation.theirs(not_in_file(SETTINGS + given(translation, home), translation))
      success = status_of { Puppet::Util::CommandLine.new('puppet', words).execute }
    ensure
      $stdout.flush
      $stderr.flush
      File.write("#{home}/log", self.class.log.join)
      File.write("#{home}/success", JSON.generate([success]))
      exit!(0)
    end

    def status_of
      yield
      true
    rescue SystemExit => e
      e.success?
    rescue Exception => e # any exception that ends the reference is its answer
      $stderr.puts("Error: #{e.message}")
      false
    end

    # The command line takes precedence over puppet.conf, and `config print` may be used for settings of [main] or [user]
    # there.
    def not_in_file(settings, translation)
      file = "#{translation.value('--confdir')}/puppet.conf"
      return settings unless translation.command == 'config print' && File.exist?(file)
      text = File.read(file).gsub(/^\[(server|agent)\][^\[]*/, '')
      settings.reject { |setting| text.match?(/^\s*#{setting[/\w+/]}\s*=/) }
    end

    # The environment of the command: its own directories, which contain the node's facts, and its
    # classifier.
    def given(translation, home)
      directories = %w[vardir logdir rundir publicdir ssldir].map { |name| "--#{name}=#{home}/#{name}" }
      # Otherwise determined again for each command, which takes long.
      directories << "--certname=#{Socket.gethostname}"
      directories << '--facts_terminus=yaml' if translation.command != 'config print'
      classifier = translation.value('--enc')
      return directories unless classifier
      File.write("#{home}/classifier", "#!/bin/sh\ncat '#{File.expand_path(classifier)}'\n")
      File.chmod(0o755, "#{home}/classifier")
      directories + ['--node_terminus=exec', "--external_nodes=#{home}/classifier"]
    end

    def keep_facts(translation, directory, home)
      node = translation.node || translation.value('--certname') || Socket.gethostname
      file = translation.value('--facts')
      self.class.given_facts = facts_in(file && File.expand_path(file, directory))
      facts = Puppet::Node::Facts.new(node, self.class.given_facts)
      FileUtils.mkdir_p("#{home}/vardir/yaml/facts")
      File.write("#{home}/vardir/yaml/facts/#{node}.yaml", facts.to_yaml)
    end

    # Without any facts, lookups would be refused (D281). A list instead of the facts' values
    # remains a list.
    def facts_in(file)
      facts = file ? Puppet::Util::Yaml.safe_load(File.read(file).sub(/^--- !ruby\S*/, '---')) : {}
      raise CommandTranslation::NotComparable, 'facts that are none' unless facts.is_a?(Hash)
      facts = facts['values'] if [Hash, Array].include?(facts['values'].class) && facts.key?('name')
      facts == {} ? { 'oracle' => 'nothing' } : facts
    rescue SystemCallError, Puppet::Util::Yaml::YamlLoadError
      raise CommandTranslation::NotComparable, 'facts that are none'
    end
  end
end
