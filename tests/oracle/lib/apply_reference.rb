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
    # Only those that providers ask for.
    @facts = facts = { 'os' => Facter.value('os'), 'osfamily' => Facter.value('osfamily'),
              'operatingsystem' => Facter.value('operatingsystem'), 'kernel' => 'Linux' }
    Facter.define_singleton_method(:reset) { nil }
    Facter.define_singleton_method(:clear) { nil }
    Puppet::Node.indirection
    require 'puppet/indirector/facts/facter'
    Puppet::Node::Facts::Facter.class_eval do
      define_method(:find) { |request| Puppet::Node::Facts.new(request.key, facts) }
    end
  end

  # What it printed, and its exit code.
  def apply(arguments, environment = {})
    reader, writer = IO.pipe
    process = fork do
      reader.close
      ENV.update(environment)
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
