# Runs `puppet apply` many times without restarting Ruby: each run is a fork of a process in which
# the reference is loaded and the facts are known.
class ApplyReference
  # The facts that both programs use: few, and determined once.
  attr_reader :facts

  def initialize
    require 'puppet'
    require 'puppet/util/command_line'
    require 'puppet/application/apply'
    require 'facter'
    require 'tmpdir'
    # Only facts that providers use.
    @facts = facts = { 'os' => Facter.value('os'), 'osfamily' => Facter.value('osfamily'),
              'operatingsystem' => Facter.value('operatingsystem'), 'kernel' => 'Linux', 'clientversion' => Puppet.version }
    Facter.define_singleton_method(:reset) { nil }
    Facter.define_singleton_method(:clear) { nil }
    Puppet::Node.indirection
    require 'puppet/indirector/facts/facter'
    Puppet::Node::Facts::Facter.class_eval do
      define_method(:find) { |request| Puppet::Node::Facts.new(request.key, facts) }
    end
    warm_up
  end

  # Types that most manifests need; otherwise each fork would load them again.
  TYPES = %i[file user group stage whit component exec package service notify schedule filebucket resources tidy].freeze

  # Loads the files that a first run loads, so that later runs find them loaded.
  def warm_up
    TYPES.each { |name| Puppet::Type.type(name) }
    reader, writer = IO.pipe
    Dir.mktmpdir do |root|
      settings = %w[confdir vardir codedir publicdir rundir logdir ssldir].flat_map { |name| ["--#{name}", File.join(root, name)] }
      before = $LOADED_FEATURES.size
      process = fork do
        reader.close
        $stdout.reopen(File::NULL)
        at_exit { writer.write($LOADED_FEATURES.drop(before).join("\n")) }
        ARGV.replace([])
        Puppet::Util::CommandLine.new('puppet', ['apply', *settings, '-e', 'notify { x: }']).execute
      end
      writer.close
      features = reader.read.lines.map(&:chomp)
      Process.wait(process)
      features.each do |feature|
        require feature
      rescue StandardError, LoadError
        next
      end
    end
  end

  # Returns the output and the exit code.
  def apply(arguments, environment = {})
    reader, writer = IO.pipe
    process = fork do
      reader.close
      ENV.update(environment)
      ENV['APPLIER_PID'] = Process.pid.to_s
      $stdout.reopen(writer)
      $stderr.reopen(writer)
      $stdout.sync = $stderr.sync = true
      ARGV.replace([])
      Puppet::Util::CommandLine.new('puppet', ['apply', '--color=false', *arguments]).execute
    end
    writer.close
    output = reader.read
    reader.close
    Process.wait(process)
    [output, $?.exitstatus || 128 + $?.termsig]
  end
end
