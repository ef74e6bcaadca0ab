# Helpers of types and providers: ini files that keep their lines, and files with backups.

# frozen_string_literal: true

module Puppet
  module Util
    # Files with sections, in which providers change single settings.
    module IniConfig
      class IniParseError < Puppet::Error # rubocop:disable Style/Documentation
        attr_reader :file, :line

        def initialize(message, file = nil, line = nil)
          super([message, file && "(file: #{file}, line: #{line})"].compact.join(' '))
          @file = file
          @line = line
        end
      end

      # One section: [key, value] for settings, texts for all other lines.
      class Section
        attr_reader :name, :file, :entries
        attr_writer :destroy

        def initialize(name, file)
          @name = name
          @file = file
          @entries = []
          @dirty = false
          @destroy = false
        end

        def dirty?
          @dirty
        end

        def mark_dirty
          @dirty = true
        end

        def mark_clean
          @dirty = false
        end

        def destroy?
          @destroy
        end

        def add_line(line)
          @entries << line
        end

        def []=(key, value)
          pair = @entries.find { |one| one.is_a?(Array) && one[0] == key }
          return if pair && pair[1] == value

          pair ? pair[1] = value : @entries << [key, value]
          @dirty = true
        end

        def [](key)
          pair = @entries.find { |one| one.is_a?(Array) && one[0] == key }
          pair && pair[1]
        end

        def format
          return '' if @destroy

          "[#{name}]\n" + @entries.map { |one| one.is_a?(Array) ? "#{one[0]}=#{one[1]}\n" : one }.join
        end
        alias to_s format
      end

      # A file on the disk.
      class PhysicalFile
        attr_reader :contents, :path, :filetype
        attr_accessor :destroy_empty, :file_collection

        def initialize(path, options = {})
          @path = path
          @options = options
          @contents = []
          @filetype = FileType.filetype(:flat).new(path)
          @destroy_empty = options.fetch(:destroy_empty, false)
        end

        def read
          text = @filetype.read or raise IniParseError, "Cannot read nonexistent file #{@path.inspect}"
          parse(text)
        end

        def parse(text)
          section = nil
          last = nil
          text.each_line.with_index(1) do |line, number|
            case line
            when /\A\[([^\]]+)\]/
              raise IniParseError.new("Section #{Regexp.last_match(1).inspect} is already defined, cannot redefine", @path, number) if get_section(Regexp.last_match(1))

              section = add_section(Regexp.last_match(1))
              section.mark_clean
              last = nil
            when /\A\s*([^\s=]+)\s*=\s*(.*?)\s*\z/
              key, value = Regexp.last_match(1), Regexp.last_match(2)
              raise IniParseError.new("Property with key #{key.inspect} outside of a section", @path, number) if section.nil?

              if line.start_with?(' ', "\t") && last
                last[1] = "#{last[1]}\n#{line.chomp}"
              else
                raise IniParseError.new("Property #{key.inspect} is already defined, cannot redefine", @path, number) if section[key]

                section.add_line(last = [key, value])
              end
            when /\A\s+\S/
              last ? last[1] = "#{last[1]}\n#{line.chomp}" : (section ? section.add_line(line) : @contents << line)
            else
              section ? section.add_line(line) : @contents << line
            end
          end
        end

        def add_section(name)
          raise IniParseError, "Section #{name.inspect} is already defined" if get_section(name)

          section = Section.new(name, @path)
          section.mark_dirty
          @contents << section
          section
        end

        def sections
          @contents.grep(Section)
        end

        def get_section(name)
          sections.find { |one| one.name == name }
        end

        def format
          @contents.map { |one| one.is_a?(Section) ? one.format : one }.join
        end

        def store
          return remove if @destroy_empty && sections.all?(&:destroy?)
          return unless sections.any? { |one| one.dirty? || one.destroy? }

          @filetype.write(format)
          sections.each(&:mark_clean)
        end

        def remove
          ::File.unlink(@path) if ::File.exist?(@path)
        end
      end

      # A set of such files.
      class FileCollection
        def initialize
          @files = {}
        end

        attr_reader :files

        def read(path)
          file(path).read
        end
        alias physical_file read

        def store
          @files.each_value(&:store)
        end

        def each_section(&block)
          @files.each_value { |one| one.sections.each(&block) }
        end

        def each_file(&block)
          @files.each_key(&block)
        end

        def get_section(name)
          @files.values.filter_map { |one| one.get_section(name) }.first
        end
        alias [] get_section

        def include?(name)
          !get_section(name).nil?
        end
        alias section? include?

        def add_section(name, path)
          file(path).add_section(name)
        end

        private

        def file(path)
          @files[path] ||= PhysicalFile.new(path)
        end
      end

      File = FileCollection
    end

    def replace_file(path, mode)
      require 'tempfile'
      beside = "#{path}.#{Process.pid}.#{rand(0x100000000).to_s(36)}"
      before = ::File.exist?(path) ? ::File.stat(path) : nil
      permissions = before ? before.mode & 0o7777 : (mode.is_a?(Integer) ? mode : mode.to_s.to_i(8))
      ::File.open(beside, ::File::RDWR | ::File::CREAT | ::File::EXCL, 0o600) do |file|
        yield file
        file.flush
        file.chown(before.uid, before.gid) if before && Process.uid.zero?
        file.chmod(permissions)
        file.fsync
      end
      ::File.rename(beside, path)
      path
    ensure
      ::File.unlink(beside) if beside && ::File.exist?(beside)
    end
    module_function :replace_file
  end

  module FileSystem # rubocop:disable Style/Documentation
    class << self
      def symlink(path, link, options = {})
        require 'fileutils'
        FileUtils.symlink(path_string(path), path_string(link), **options)
      end

      def chmod(mode, path)
        ::File.chmod(mode, path_string(path))
      end

      def replace_file(path, mode = 0o644, &block)
        Util.replace_file(path_string(path), mode, &block)
      end

      # Opens the file under a lock that other processes respect.
      def exclusive_open(path, mode, options = 'r', timeout = 300)
        require 'timeout'
        ::File.open(path_string(path), options, mode) do |file|
          Timeout.timeout(timeout) { file.flock(::File::LOCK_EX) }
          yield file
        end
      end

      def exclusive_create(path, mode, &block)
        ::File.open(path_string(path), ::File::CREAT | ::File::EXCL | ::File::WRONLY, mode, &block)
      end
    end
  end
end
