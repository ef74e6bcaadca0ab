# Applies resources of types that modules define in Ruby: loads types and providers, and carries out
# the transaction's requests for single resources. It replaces the Puppet::Type of compilations.

# frozen_string_literal: true

Bunraku.use('files')

# Code for the end of the process, which is the end of the run.
class Object
  private

  def at_exit(&block)
    Bunraku.keep_exit_handlers
    super
  end
end

module Bunraku
  # The environment that code of types needs.
  module Apply
    @resources = []

    class << self
      attr_reader :resources

      # Returns the number by which the transaction refers to a resource.
      def keep(resource)
        @resources << resource
        @resources.size - 1
      end

      # The name of a constant, as the reference names classes of types, attributes and providers.
      def constant_name(name)
        name.to_s.split('::').map(&:capitalize).join('__').gsub(/[^A-Za-z0-9_]/, '_')
      end

      def native_type(name)
        Bunraku.ask('apply.native_type', name.to_s)
      end

      # Loads a file of a module once.
      def load(path, name)
        require path
      rescue StandardError, ScriptError => error
        message = "Could not autoload #{name}: #{error.message}"
        raise Puppet::Error.new(message, error)
      end

      def boolean(value)
        case value.is_a?(String) ? value.downcase : value
        when true, :true, 'true', :yes, 'yes' then true
        when false, :false, 'false', :no, 'no' then false
        else raise ::ArgumentError, 'expected a boolean value'
        end
      end

      # The resource of an answer [number or -1, type, title].
      def resource_of(answer)
        return nil if answer.nil?

        number, type, title = answer
        return @resources[number] unless number.negative?

        Puppet::Type.type(type)&.then { |found| found <= Puppet::Native ? found.in_catalog(title) : nil } ||
          Puppet::Resource.new(type, title)
      end

      # --- the log ---

      def log(level, text, source)
        level = level.to_sym
        level = :info if level == :verbose
        return unless Bunraku.logs?(level)

        # A provider may have a method `file` of its own, with another meaning.
        is_declared = source.is_a?(Puppet::Type) || source.is_a?(Puppet::Parameter)
        place = is_declared ? [source.file, source.line] : [nil, nil]
        Bunraku.ask('log', level.to_s, text.to_s, source_of(source), is_declared ? source.tags : [], *place.map { |one| plain(one) })
        nil
      end

      def source_of(source)
        case source
        when Puppet::Type, Puppet::Parameter then source.path
        when String then source
        else source.to_s
        end
      end

      # --- values that can be sent ---

      def plain(value)
        case value
        when nil, true, false, Integer, Float, Symbol then value
        when String then text(value)
        when Array then value.map { |one| plain(one) }
        when Hash then value.to_h { |key, one| [plain(key), plain(one)] }
        when Set then value.map { |one| plain(one) }
        else text(value.to_s)
        end
      end

      def text(value)
        value = String.new(value)
        return value if value.encoding == Encoding::UTF_8 && value.valid_encoding?

        converted = value.encoding == Encoding::BINARY ? value.dup.force_encoding('UTF-8') : value.encode('UTF-8')
        converted.valid_encoding? ? converted : value.b
      rescue EncodingError
        value.b
      end
    end
  end
end

module Puppet
  class << self
    LEVELS.each do |level|
      next if level == :debug

      define_method(level) do |text|
        raise ::ArgumentError, 'Puppet::Util::Log requires a message' if text.nil?

        Bunraku::Apply.log(level, text.is_a?(Array) ? text.join(' ') : text, 'Puppet')
      end
    end
    alias warn warning

    def debug(*texts)
      return unless Bunraku.logs?(:debug)

      Bunraku::Apply.log(:debug, block_given? ? yield(*texts) : texts.join(' '), 'Puppet')
    end

    def log_exception(error, message = :default, *)
      err(message == :default ? Bunraku::ApplyRequests.text_of(error) : message)
    end
  end

  module Util
    # Logging methods of types, attributes and providers, which are the source of the records.
    module Logging
      LEVELS.each do |level|
        define_method(level) do |*texts, &block|
          next unless Bunraku.logs?(level)

          Bunraku::Apply.log(level, block ? block.call(*texts) : texts.join(' '), self)
        end
      end

      def send_log(level, text)
        Bunraku::Apply.log(level, text, self)
      end

      def log_exception(error, message = :default, *)
        err(message == :default ? error.message : message)
      end

      def warnonce(text)
        Puppet.warn_once('warnings', text, text, :default, :default)
      end
    end

    module Errors # rubocop:disable Style/Documentation
      def fail(*texts)
        type = texts.first.is_a?(Class) ? texts.shift : Puppet::Error
        original = texts.pop if texts.size > 1
        error = Errors.with_place(type.new(texts.join(' ')), self)
        error.set_backtrace(original.backtrace) if original.respond_to?(:backtrace)
        raise error
      end

      def devfail(text)
        fail(Puppet::DevError, text)
      end

      def self.with_place(error, owner)
        return error unless error.respond_to?(:line=) && owner.respond_to?(:line) && owner.respond_to?(:file)

        error.line ||= owner.line
        error.file ||= owner.file
        error
      end
    end

    class Log # rubocop:disable Style/Documentation
      def initialize(options)
        @level = options[:level]
        @message = options[:message].to_s
        @source = options[:source] || 'Puppet'
        Bunraku::Apply.log(@level, @message, @source)
      end
    end
  end
end

module Bunraku
  # The facts that the run has collected. Any other fact is resolved by the files of custom facts.
  # While it has no value it is resolved again each time: what it reads may have been installed
  # meanwhile.
  module KnownFacts
    # Legacy names and the facts that replace them: code uses the old names, but runs do not have
    # them.
    LEGACY = {
      'osfamily' => 'os.family', 'operatingsystem' => 'os.name', 'operatingsystemrelease' => 'os.release.full',
      'operatingsystemmajrelease' => 'os.release.major', 'architecture' => 'os.architecture',
      'hardwaremodel' => 'os.hardware', 'hardwareisa' => 'os.hardware', 'lsbdistcodename' => 'os.distro.codename',
      'lsbdistid' => 'os.distro.id', 'lsbdistdescription' => 'os.distro.description',
      'lsbdistrelease' => 'os.distro.release.full', 'lsbmajdistrelease' => 'os.distro.release.major',
      'selinux' => 'os.selinux.enabled', 'hostname' => 'networking.hostname', 'domain' => 'networking.domain',
      'fqdn' => 'networking.fqdn', 'ipaddress' => 'networking.ip', 'ipaddress6' => 'networking.ip6',
      'macaddress' => 'networking.mac', 'netmask' => 'networking.netmask', 'network' => 'networking.network',
      'processorcount' => 'processors.count', 'physicalprocessorcount' => 'processors.physicalcount',
      'memorysize' => 'memory.system.total', 'memoryfree' => 'memory.system.available',
      'swapsize' => 'memory.swap.total', 'rubyversion' => 'ruby.version', 'rubysitedir' => 'ruby.sitedir',
      'id' => 'identity.user', 'gid' => 'identity.group', 'uptime' => 'system_uptime.uptime',
      'manufacturer' => 'dmi.manufacturer', 'productname' => 'dmi.product.name', 'uuid' => 'dmi.product.uuid',
      'serialnumber' => 'dmi.product.serial_number', 'augeasversion' => 'augeas.version'
    }.freeze
    KnownFact = Struct.new(:name, :value)

    def know(facts, directories)
      @known = facts
      @places = directories
    end

    def value(name)
      found = known_value(name.to_s)
      return found unless found.nil?

      use_files
      super
    end

    def fact(name)
      found = known_value(name.to_s)
      return KnownFact.new(name.to_s, found) unless found.nil?

      use_files
      super
    end
    alias [] fact

    def to_hash
      @known || {}
    end
    alias to_h to_hash

    # Methods of Facter that need the files of custom facts.
    %i[add clear define_fact debugonce each flush list loadfacts log_exception reset search warn warnonce].each do |name|
      define_method(name) do |*arguments, **options, &block|
        use_files
        super(*arguments, **options, &block)
      end
    end

    # Facter::Core and Facter::Util are loaded on first use.
    def const_missing(name)
      return super if @uses_files

      use_files
      const_get(name)
    end

    private

    def use_files
      return if @uses_files

      @uses_files = true
      Bunraku.use('facts')
      %i[package service].each { |type| DefaultProviders.answer(type) }
      begin_collection(@known || {}, {}, @places || [])
    end

    def known_value(name)
      found = look_up(name)
      found.nil? && LEGACY.key?(name.downcase) ? look_up(LEGACY[name.downcase]) : found
    end

    def look_up(name)
      facts = @known || {}
      return facts[name] if facts.key?(name)

      name.split('.').reduce(facts) { |found, part| found.is_a?(Hash) ? found[part] : nil }
    end
  end
end
Facter.singleton_class.prepend(Bunraku::KnownFacts)

module Puppet
  # The settings of the run.
  class Settings
    def include?(name)
      (@values || {}).key?(name.to_s)
    end
  end

  module Util
    # Compares versions as the function versioncmp does.
    module Package
      PIECES = /[-.]|\d+|[^-.\d]+/.freeze

      def self.versioncmp(one, other, ignore_trailing_zeroes = false)
        one, other = [one, other].map { |text| text.sub(/([.]0+)+\z/, '') } if ignore_trailing_zeroes
        left = one.scan(PIECES)
        right = other.scan(PIECES)
        until left.empty? || right.empty?
          a = left.shift
          b = right.shift
          next if a == b
          return -1 if a == '-'
          return 1 if b == '-'
          return -1 if a == '.'
          return 1 if b == '.'
          return numbers(a, b) if [a, b].all? { |piece| piece.match?(/\A\d+\z/) }

          return a.upcase <=> b.upcase
        end
        one <=> other
      end

      # Numbers with a leading zero are compared as texts.
      def self.numbers(one, other)
        return one.upcase <=> other.upcase if [one, other].any? { |text| text.start_with?('0') }

        one.to_i <=> other.to_i
      end
    end
  end

  # Files of modules are found in the run's copy of them.
  module FileServing
    class Content # rubocop:disable Style/Documentation
      attr_reader :ftype

      def self.find(address, *)
        local = address.to_s.sub(%r{\Afile://(?=/)}, '')
        return of_host(local) if local.start_with?('/')

        answer = Bunraku.ask('file.source', address.to_s, self == Content)
        answer && new(address.to_s, *answer)
      end

      # The content is read only when it is used, never for metadata.
      def self.of_host(path)
        return unless File.exist?(path)

        type = File.ftype(path)
        new(path, type, self == Content && type == 'file' ? File.binread(path) : nil)
      end

      def initialize(path, ftype, content)
        @path = path
        @ftype = ftype
        @content = content
      end

      def content
        @content
      end
    end
  end
end

# Replaces the file for compilations.
Bunraku.stand_for('types')
%w[attributes type resource provider execution parsed_file helpers resource_api catalog requests].each { |name| Bunraku.use("apply/#{name}") }
