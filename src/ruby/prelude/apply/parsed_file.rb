# Files with a record on each line: reading and writing lines, and providers whose resources are
# such records.

# frozen_string_literal: true

module Puppet
  module Util
    # The storage of a provider's text.
    class FileType
      # What all kinds have in common: failures are logged and raised with the path.
      module Access
        HEADER = /# HEADER.*\n/.freeze

        # The text without its header; empty when there is none.
        def read
          text = with_path('read') { super.to_s.gsub(HEADER, '') }
          @loaded = Time.now
          text
        end

        def write(text)
          result = with_path('write') { super }
          @synced = Time.now
          result
        end

        private

        def with_path(action)
          yield
        rescue Puppet::Error
          raise
        rescue StandardError => error
          message = "#{self.class} could not #{action} #{path}: #{error}"
          Puppet.log_exception(error, message)
          raise Puppet::Error, message
        end
      end

      @kinds = {}

      class << self
        attr_reader :kinds

        def newfiletype(name, &block)
          kind = Class.new(FileType)
          kind.define_singleton_method(:name) { name }
          const_set("FileType#{name.to_s.capitalize}", kind)
          FileType.kinds[name] = kind
          kind.class_eval(&block) if block
          kind.prepend(Access)
          kind
        end

        def filetype(name)
          FileType.kinds[name]
        end
      end

      attr_accessor :path, :loaded, :synced

      def initialize(path, default_mode = nil)
        raise ::ArgumentError, 'Path is nil' if path.nil?

        @path = path
        @default_mode = default_mode
      end

      # No backup: the file bucket keeps copies only of files that the program itself writes.
      def backup; end
    end

    FileType.newfiletype(:flat) do
      def read
        ::File.exist?(@path) ? ::File.read(@path, encoding: Encoding.default_external) : nil
      end

      def remove
        ::File.unlink(@path) if ::File.exist?(@path)
      end

      # Writes a temporary file with the owner and mode of the present one, and renames it.
      def write(text)
        path = ::File.exist?(@path) ? ::File.realpath(@path) : @path
        before = ::File.exist?(path) ? ::File.stat(path) : nil
        beside = "#{path}.#{Process.pid}.#{rand(0x100000000).to_s(36)}"
        ::File.open(beside, ::File::WRONLY | ::File::CREAT | ::File::EXCL, 0o600) do |file|
          file.chown(before.uid, before.gid) if before && Process.uid.zero?
          file.chmod(before ? before.mode & 0o7777 : @default_mode || 0o600)
          file.write(text)
          file.fsync
        end
        ::File.rename(beside, path)
        restore_label(path)
      rescue SystemCallError => error
        raise error, beside ? error.message.sub(beside, path) : error.message
      ensure
        ::File.unlink(beside) if beside && ::File.exist?(beside)
      end

      private

      # A new file has the label of its directory. The module is only loaded on hosts with SELinux.
      def restore_label(path)
        return unless ::File.exist?('/sys/fs/selinux/enforce')

        extend(Puppet::Util::SELinux)
        set_selinux_default_context(path)
      end
    end

    FileType.newfiletype(:ram) do
      @@tabs = {}
      def self.clear
        @@tabs.clear
      end

      def read
        @@tabs[@path]
      end

      def write(text)
        @@tabs[@path] = text
      end

      def remove
        @@tabs.delete(@path)
      end
    end

    FileType.newfiletype(:crontab) do
      def read
        Puppet::Util::Execution.execute(['crontab', '-l'], **options)
      rescue Puppet::ExecutionFailure => error
        raise unless error.message.match?(/no crontab for|can't open your crontab file/)

        ''
      end

      def write(text)
        require 'tempfile'
        Tempfile.create('crontab') do |file|
          file.print(text)
          file.close
          Puppet::Util::Execution.execute(['crontab', '-u', @path, file.path], failonfail: true, combine: true)
        end
      end

      def remove
        Puppet::Util::Execution.execute(['crontab', '-r'], **options)
      end

      def options
        options = { failonfail: true, combine: true }
        options[:uid] = @path unless @path == 'root' && Process.uid.zero?
        options
      end
      private :options
    end

    # Parses lines into records.
    module FileParsing
      # A kind of line.
      class Kind
        attr_reader :fields, :optional
        attr_accessor :name, :separator, :joiner, :absent, :rollup, :rts, :match, :block_eval
        attr_writer :post_parse, :pre_gen, :to_line
        attr_reader :process

        def initialize(type, name, options, &block)
          @type = type
          @name = name
          @separator = /\s+/
          @joiner = ' '
          @absent = ''
          @optional = []
          @fields = []
          @rollup = true
          options.each { |key, value| public_send(:"#{key}=", value) unless value.nil? }
          return unless block

          @block_eval == :instance ? instance_eval(&block) : @process = block
        end

        def fields=(names)
          @fields = names.map(&:to_sym)
        end

        def optional=(names)
          @optional = names.map(&:to_sym)
        end

        def process?
          !@process.nil? || singleton_methods.include?(:process)
        end

        # The record of a line, converted by the block.
        def processed(line)
          singleton_methods.include?(:process) ? process(line) : @process.call(line)
        end

        def text?
          @type == :text
        end

        def optional?(name)
          @optional.include?(name)
        end

        # The fields of a line; nil when it is of another kind.
        def parse(line)
          @match ? by_pattern(line) : by_fields(line)
        end

        # Calls a hook of the kind, a method defined in its block or a proc; returns nil when there
        # is none.
        def call_hook(name, record)
          return public_send(name, record) if singleton_methods.include?(name)

          instance_variable_get(:"@#{name}")&.call(record)
        end

        # The line of a record.
        def join(record)
          text = @fields.map { |field| text_of(field, record[field]) }.join(@joiner)
          @rts ? text.sub(@rts == true ? /\s+\z/ : @rts, '') : text
        end

        private

        def text_of(field, value)
          return value.to_s unless value.nil? || [:absent, [:absent]].include?(value)
          raise ::ArgumentError, "Field '#{field}' is required" unless optional?(field)

          @absent
        end

        def by_pattern(line)
          match = @match.match(line) or return nil
          @fields.zip(match.captures).to_h { |field, value| [field, value == @absent ? :absent : value] }
        end

        # The last field takes what remains.
        def by_fields(line)
          parts = line.split(@separator == ' ' ? / / : @separator)
          found = @fields.zip(parts).to_h { |field, value| [field, value.nil? || value == @absent ? :absent : value] }
          rest = parts.drop(@fields.size)
          found[@fields.last] = [found[@fields.last], *rest].join(@joiner) if @rollup && !rest.empty?
          found
        end
      end

      def fields(type)
        record_type(type)&.fields&.dup
      end

      def record_kinds
        @record_kinds ||= {}
      end

      def record_order
        @record_order ||= []
      end

      def text_line(name, options = {}, &block)
        raise ::ArgumentError, 'Must provide a :match regex for text lines' if !options.key?(:match) && block.nil?

        add_kind(Kind.new(:text, name, options, &block))
      end

      def record_line(name, options, &block)
        unless options.key?(:fields)
          raise ::ArgumentError, 'Must include a list of fields'
        end

        add_kind(Kind.new(:record, name, options, &block))
      end

      def record_type(name)
        record_kinds[name.to_sym]
      end

      def clear_records
        record_kinds.clear
        record_order.clear
      end

      def valid_attr?(type, name)
        known = record_type(type)&.fields || []
        known.include?(name.to_sym) || name.to_sym == :ensure
      end

      def line_separator
        @line_separator ||= "\n"
      end

      attr_writer :line_separator, :trailing_separator

      def trailing_separator
        defined?(@trailing_separator) ? @trailing_separator : true
      end

      def lines(text)
        text.split(line_separator)
      end

      def parse(text)
        count = 0
        lines(text).filter_map do |line|
          count += 1
          record = parse_line(line)
          if record.nil?
            error = Puppet::ResourceError.new("Could not parse line #{line.inspect}")
            error.line = count
            raise error
          end
          record
        end
      end

      def parse_line(line)
        raise Puppet::DevError, 'No record types defined; cannot parse lines' if record_order.empty?

        record_order.each do |kind|
          record = kind.text? ? handle_text_line(line, kind) : handle_record_line(line, kind)
          return record if record
        end
        nil
      end

      def handle_text_line(line, kind)
        if kind.process?
          record = kind.processed(line) or return nil
          return record.merge(record_type: kind.name)
        end
        kind.match.match?(line) ? { record_type: kind.name, line: line } : nil
      end

      def handle_record_line(line, kind)
        if kind.process?
          record = kind.processed(line)
          return nil if record.nil?
          raise Puppet::DevError, "Process record type #{kind.name} returned non-hash" unless record.is_a?(Hash)
        else
          record = kind.parse(line) or return nil
        end
        kind.call_hook(:post_parse, record)
        record.merge(record_type: kind.name)
      end

      def to_line(record)
        kind = record_type(record[:record_type]) or
          raise ::ArgumentError, "Invalid record type #{record[:record_type].inspect}"
        record = record.dup
        kind.call_hook(:pre_gen, record)
        kind.call_hook(:to_line, record) || (kind.text? ? record[:line] : kind.join(record))
      end

      def to_file(records)
        text = records.map { |record| to_line(record) }.join(line_separator)
        trailing_separator ? text + line_separator : text
      end

      private

      def add_kind(kind)
        raise ::ArgumentError, "Line type #{kind.name} is already defined" if record_kinds.key?(kind.name)

        record_kinds[kind.name] = kind
        record_order << kind
        kind
      end
    end
  end

  class Provider
    # A provider whose resources are lines of files. A file is written once for all changes in it.
    class ParsedFile < Provider
      extend Util::FileParsing

      class << self
        attr_accessor :default_target, :target, :raise_prefetch_errors

        def header
          <<~TEXT
            # HEADER: This file was autogenerated at #{Time.now}
            # HEADER: by puppet.  While it can still be managed manually, it
            # HEADER: is definitely not recommended.
          TEXT
        end

        def initvars
          super
          @records = []
          @target_objects = {}
          @target = nil
          @default_target = nil
          @modified = []
          @filetype = :flat
        end

        # Every attribute is a field of the record.
        def begin_provider(name, type)
          super
          mk_resource_methods
        end

        def filetype
          @filetype.is_a?(Symbol) ? Util::FileType.filetype(@filetype) : @filetype
        end

        def filetype=(type)
          @filetype = type.is_a?(Class) ? type : Util::FileType.filetype(type) || raise(::ArgumentError, "Invalid filetype #{type}")
        end

        def records
          @records
        end

        def clear
          @target_objects.clear
          @records.clear
        end

        def default_mode
          nil
        end

        def native_header_regex
          nil
        end

        def drop_native_header
          false
        end

        def target_object(target)
          @target_objects[target] ||= new_target_object(target)
        end

        def backup_target(_target); end

        def modified(target)
          @modified << target unless @modified.include?(target)
        end

        def skip_record?(record)
          record_type(record[:record_type]).text?
        end

        # --- reading ---

        def lines(text)
          super(text).reject { |line| line.start_with?('# HEADER') }
        end

        def retrieve(path)
          text = target_object(path).read
          text.empty? ? [] : parse(text)
        end

        def prefetch(resources = nil)
          prefetch_all_targets(resources)
          match_providers_with_resources(resources)
        end

        def prefetch_all_targets(resources)
          @records = []
          targets(resources).each { |one| prefetch_target(one) }
        end

        def prefetch_target(target)
          found = read_target(target)
          @records += found unless found.empty?
        end

        def targets(resources = nil)
          all = @records.map { |record| record[:target] }
          all << default_target
          (resources || {}).each_value { |one| all << one.should(:target) if one.class.validattr?(:target) }
          all.compact.uniq
        end

        def instances
          prefetch_all_targets(nil) if @records.empty?
          @records.reject { |record| skip_record?(record) }.map { |record| new(record) }
        end

        def match_providers_with_resources(resources)
          return if resources.nil?

          waiting = resources.dup
          @records.each do |record|
            next if skip_record?(record)

            resource = resource_for_record(record, resources)
            resource = match(record, waiting) if resource.nil? && respond_to?(:match)
            next if resource.nil?

            waiting.delete(resource.title)
            record[:name] = resource[:name]
            resource.provider = new(record)
          end
        end

        def resource_for_record(record, resources)
          resources[record[:name]]
        end

        def record?(resource)
          @records.find { |record| record[:name] == resource.name && (record_type(record[:record_type]) && !skip_record?(record)) }
        end

        # --- writing ---

        def flush(record)
          @records << record unless @records.any? { |one| one.equal?(record) }
          waiting = @modified
          @modified = []
          waiting.each { |one| flush_target(one) }
        end

        def flush_target(target)
          backup_target(target)
          wanted = target_records(target).reject { |record| record[:ensure] == :absent }
          target_object(target).write(to_file(wanted))
        end

        def target_records(target)
          @records.select { |record| record[:target] == target }
        end

        def to_file(records)
          text = super
          native = native_header_regex && text[native_header_regex]
          return header + text unless native

          text = text.sub(native, '')
          drop_native_header ? header + text : native + header + text
        end

        # Defines getters and setters of the record's fields.
        def mk_resource_methods
          (resource_type.validproperties + resource_type.parameters).each do |name|
            next if method_defined?(name, false)

            define_method(name) do
              if @property_hash[name] || self.class.valid_attr?(self.class.name, name)
                @property_hash[name] || :absent
              else
                @resource&.should(name)
              end
            end
            define_method(:"#{name}=") do |value|
              mark_target_modified
              @property_hash[name] = value
            end
          end
        end

        private

        def new_target_object(target)
          filetype.instance_method(:initialize).arity == 1 ? filetype.new(target) : filetype.new(target, default_mode)
        end

        def read_target(target)
          found = retrieve(target)
          found.each do |record|
            record[:on_disk] = true
            record[:target] = target
            record[:ensure] = :present
          end
          return found unless respond_to?(:prefetch_hook)

          prefetch_hook(found) or raise Puppet::DevError, "Prefetching #{target} for provider #{name} returned nil"
        rescue Puppet::Error, SystemCallError => error
          raise error if raise_prefetch_errors

          Puppet.err("Could not prefetch #{resource_type.name} provider '#{name}' target '#{target}': #{error}. Treating as empty")
          []
        end
      end

      initvars

      def initialize(record)
        super
        return unless @property_hash.empty?

        @property_hash = self.class.record?(@resource) || { record_type: self.class.name, ensure: :absent }
      end

      def create
        @resource.class.validproperties.each do |name|
          value = @resource.should(name)
          @property_hash[name] = value unless value.nil?
        end
        mark_target_modified
        :"#{@resource.class.name}_created"
      end

      def destroy
        @property_hash[:ensure] = :absent
        mark_target_modified
        :"#{@resource.class.name}_deleted"
      end

      def exists?
        ![nil, :absent].include?(@property_hash[:ensure])
      end

      # A record needs its target and name set before it is written.
      def flush
        if @property_hash[:target].nil?
          @property_hash[:target] = @resource.should(:target) || self.class.default_target
          self.class.modified(@property_hash[:target])
        end
        @resource.class.key_attributes.each { |name| @property_hash[name] ||= @resource[name] }
        self.class.flush(@property_hash)
      end

      def prefetch
        self.class.prefetch(@resource[:name] => @resource)
      end

      def record_type
        @property_hash[:record_type]
      end

      private

      def mark_target_modified
        wanted = @resource&.should(:target)
        current = @property_hash[:target]
        self.class.modified(wanted) if wanted && wanted != current
        self.class.modified(current) if current && current != :absent
      end
    end
  end
end
