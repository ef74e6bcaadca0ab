# Lets rspec-puppet compile catalogs with bunraku: one process compiles for all examples, and its
# answers become the objects that the matchers use. Spec files and helpers are unchanged.
#
# An example that depends on state which bunraku cannot see is compiled by the reference: functions
# that a spec file defines, and stubs of Puppet's own objects. Their number is reported at the end.
require 'digest'
require 'etc'
require 'fileutils'
require 'json'
require 'set'
require 'tmpdir'
require 'zlib'

module Bunraku
  # Collects the garbage of examples between them, when there is much: most objects are code and
  # facts, which stay.
  module Garbage
    BYTES = (64 << 20)..(640 << 20)
    BYTES_PER_OBJECT = 77
    PART_OF_MEMORY = 16

    class << self
      def start
        @most = most_bytes
        @kept = 0
        GC.disable
      end

      # Objects at the start of examples are code and facts, which stay.
      def keep
        @kept = GC.stat(:heap_live_slots)
      end

      def collect
        return if (GC.stat(:heap_live_slots) - @kept) * BYTES_PER_OBJECT < @most && GC.stat(:malloc_increase_bytes) < @most

        as_usual { GC.start }
        keep
      end

      # Lets Ruby collect by itself while the block runs.
      def as_usual
        GC.enable
        yield
      ensure
        GC.disable
      end

      private

      # A part of the free memory, as there may be as many processes as processors.
      def most_bytes
        free = File.read('/proc/meminfo')[/^MemAvailable:\s+(\d+)/, 1].to_i << 10
        (free / PART_OF_MEMORY / Etc.nprocessors).clamp(BYTES.first, BYTES.last)
      rescue SystemCallError
        BYTES.first
      end
    end
  end
  Garbage.start
end

module Bunraku
  # Caches Ruby's compiled form of the files that suites load: Puppet, RSpec and helpers are 1,400
  # files, and parsing them takes half of the start. The cache is beside this file, for this Ruby
  # only, in two files: all forms, and an index (by file: its state, and the position of its form).
  # Only the needed forms are read.
  class SpecSequences
    PATH = "#{__dir__}/sequences-#{Digest::SHA256.hexdigest(RUBY_DESCRIPTION)[0, 16]}".freeze
    LARGEST = 96 << 20

    class << self
      def install
        return if !defined?(::RubyVM::InstructionSequence) || ::RubyVM::InstructionSequence.respond_to?(:load_iseq)

        sequences = new
        nothing = ::RubyVM::InstructionSequence.compile('nil')
        ::RubyVM::InstructionSequence.define_singleton_method(:load_iseq) do |file|
          LateFiles.leave?(file) ? nothing : sequences.of(file)
        end
        LateFiles.install
        pid = Process.pid
        at_exit { sequences.save if Process.pid == pid }
      end
    end

    def initialize
      @kept = read
      @made = {}
    end

    # With nil, Ruby reads the file.
    def of(file)
      return if !file.end_with?('.rb') || (defined?(::Coverage) && ::Coverage.running?)

      state = state_of(file)
      form = form_of(file, state)
      return ::RubyVM::InstructionSequence.load_from_binary(form) if form

      ::RubyVM::InstructionSequence.compile_file(file).tap { |made| @made[file] = [state, made] }
    rescue SystemCallError, RuntimeError, SyntaxError
      nil
    end

    def save
      return if @made.empty?

      all = @kept.to_h { |file, (state)| [file, [state, form_of(file, state)]] }
      all.merge!(@made.transform_values { |state, made| [state, made.to_binary] })
      all.select! { |file, (state, form)| form && state == state_of(file) }
      write(all)
    rescue SystemCallError, RuntimeError
      nil
    end

    private

    def state_of(file)
      stat = File.stat(file)
      [stat.dev, stat.ino, stat.size, stat.mtime.to_i, stat.mtime.nsec]
    rescue SystemCallError
      nil
    end

    # Returns nil when there is none for the present state of the file.
    def form_of(file, state)
      known, offset, length, sum = @kept[file]
      return if known.nil? || known != state

      form = @forms.pread(length, offset)
      form if Zlib.crc32(form) == sum
    rescue EOFError
      nil
    end

    # Ignores files that another user could have written, and incomplete ones.
    def read
      digest, index = File.open("#{PATH}.index", 'rb') { |file| own?(file) ? [file.read(32), file.read] : nil }
      return {} unless index && Digest::SHA256.digest(index) == digest

      @forms = File.open(PATH, 'rb')
      own?(@forms) ? Marshal.load(index) : {}
    rescue SystemCallError, TypeError, ArgumentError
      {}
    end

    def own?(file)
      stat = file.stat
      stat.owned? && (stat.mode & 0o022).zero?
    end

    # Another process may read one of the files before the other is written: the sums do not match
    # then.
    def write(all)
      offset = 0
      places = all.transform_values do |state, form|
        [state, offset, form.bytesize, Zlib.crc32(form)].tap { offset += form.bytesize }
      end
      return FileUtils.rm_f([PATH, "#{PATH}.index"]) if offset > LARGEST

      put(PATH) { |file| all.each_value { |_, form| file.write(form) } }
      index = Marshal.dump(places)
      put("#{PATH}.index") { |file| file.write(Digest::SHA256.digest(index), index) }
    end

    def put(path, &block)
      File.open("#{path}.#{Process.pid}", 'wb', 0o600, &block)
      File.rename("#{path}.#{Process.pid}", path)
    end
  end

  # Caches what RubyGems finds by reading a file of each gem: the names of files that Puppet and helpers
  # require and no gem has, and the library directories of all gems, which Puppet searches for types
  # and providers. The cache is beside this file and valid until a gem is installed.
  module GemFiles
    class << self
      def install
        return if defined?(::Bundler) || !::Gem::Specification.respond_to?(:find_by_path)

        @gems = ::Gem::Specification.dirs.dup
        @state = state
        @path = "#{__dir__}/gems-#{Digest::SHA256.hexdigest(@state.inspect)[0, 32]}.json"
        read
        ::Gem::Specification.singleton_class.prepend(Absent)
        pid = Process.pid
        at_exit { save if Process.pid == pid }
      end

      def absent?(file)
        @absent.include?(file)
      end

      def add_absent(file)
        return if file.start_with?('/')

        @absent << file
        @is_new = true
      end

      # The block finds the library directories.
      def directories
        return yield unless @gems && @gems == ::Gem::Specification.dirs && !defined?(::Bundler)

        @directories ||= yield.tap { @is_new = true }
      end

      private

      def state
        directories = ::Gem::Specification.dirs.flat_map { |directory| [directory, "#{directory}/default"] }
        [RUBY_DESCRIPTION, directories.map { |directory| [directory, time_of(directory)] }]
      end

      def time_of(directory)
        File.stat(directory).mtime.to_r
      rescue SystemCallError
        nil
      end

      def read
        kept = JSON.parse(File.read(@path))
        @absent = Set.new(kept['absent'])
        @directories = kept['directories']
      rescue SystemCallError, JSON::ParserError
        @absent = Set.new
      end

      def save
        return if !@is_new || @state != state

        text = JSON.generate(absent: @absent.to_a, directories: @directories)
        File.write("#{@path}.#{Process.pid}", text, perm: 0o600)
        File.rename("#{@path}.#{Process.pid}", @path)
      rescue SystemCallError
        nil
      end
    end

    # Prepended to RubyGems' specifications.
    module Absent
      def find_by_path(path)
        return if GemFiles.absent?(path) && !defined?(::Bundler)

        super.tap { |found| GemFiles.add_absent(path) unless found || defined?(::Bundler) }
      end
    end
  end
end
