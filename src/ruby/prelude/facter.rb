# Facter, as far as module code uses it while it is loaded.

# frozen_string_literal: true

# A few facts of the machine that compiles, for module code that reads facts while it is loaded.
# They are not the facts of the node.
module Facter
  # The object of one fact.
  Fact = Struct.new(:name, :value)

  class << self
    def value(name)
      name.to_s.split('.').reduce(facts) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end
    def to_hash
      facts
    end

    def fact(name)
      found = value(name)
      found.nil? ? nil : Fact.new(name.to_s, found)
    end
    alias [] fact

    def add(*); end

    def version
      '4.3.0'
    end

    def debug(text)
      Puppet.debug(text)
    end

    private

    def facts
      @facts ||= begin
        require 'etc'
        system = Etc.uname
        os = release
        host, domain = Etc.uname[:nodename].split('.', 2)
        { 'kernel' => system[:sysname], 'kernelrelease' => system[:release], 'architecture' => system[:machine],
          'kernelversion' => system[:release][/\A[\d.]+/], 'hostname' => host, 'domain' => domain,
          'fqdn' => system[:nodename], 'osfamily' => os['family'], 'operatingsystem' => os['name'],
          'operatingsystemrelease' => os['release']['full'], 'operatingsystemmajrelease' => os['release']['major'],
          'os' => os, 'path' => ENV.fetch('PATH', ''), 'rubyversion' => RUBY_VERSION,
          'networking' => { 'hostname' => host, 'domain' => domain, 'fqdn' => system[:nodename] } }
      end
    end

    def release
      answer = File.exist?('/etc/os-release') ? File.readlines('/etc/os-release', chomp: true) : []
      answer = answer.grep(/=/).to_h { |line| line.split('=', 2).then { |key, value| [key, value.delete('"')] } }
      id = answer.fetch('ID', 'linux')
      names = { 'debian' => 'Debian', 'ubuntu' => 'Ubuntu', 'rhel' => 'RedHat', 'centos' => 'CentOS',
                'fedora' => 'Fedora', 'rocky' => 'Rocky', 'almalinux' => 'AlmaLinux', 'sles' => 'SLES' }
      like = [id, *answer['ID_LIKE'].to_s.split]
      family = like.include?('debian') ? 'Debian' : names[id]
      family = 'RedHat' if !(like & %w[rhel fedora centos]).empty?
      full = answer.fetch('VERSION_ID', '')
      { 'name' => names.fetch(id, id.capitalize), 'family' => family || id.capitalize,
        'release' => { 'full' => full, 'major' => full.split('.').first } }
    end
  end

  module Util # rubocop:disable Style/Documentation
    module Resolution; end # rubocop:disable Style/Documentation
  end
end
