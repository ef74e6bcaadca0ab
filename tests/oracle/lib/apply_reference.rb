# Runs `puppet apply` many times without starting Ruby anew: each run is a fork of a process that has
# the reference loaded and knows the facts.
class ApplyReference
  # What both programs know of this machine: few facts, found out once.
  attr_reader :facts

  def initialize
    require 'puppet'
    require 'puppet/util/command_line'
    require 'puppet/application/apply'
    require 'facter'
    require 'tmpdir'
    # Only those that providers ask for.
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

  # Types that most manifests need; without them each fork would load them anew.
  TYPES = %i[file user group stage whit component exec package service notify schedule filebucket resources tidy].freeze

  # Loads what a first run has loaded, so that later ones find it there.
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

  # What it printed, and its exit code.
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
