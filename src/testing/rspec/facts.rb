
module Bunraku
  # FacterDB reads all its sets for each query. Answers are cached beside this file, by the query
  # and the state of the files that they come from.
  module SpecFacts
    def get_facts(*arguments, **options)
      return super unless arguments.first.is_a?(Hash)

      path = "#{SpecFacts.directory(self)}/#{Digest::SHA256.hexdigest([arguments, options].inspect)[0, 32]}.json"
      SpecFacts.kept(path) || super.tap { |facts| SpecFacts.keep(path, facts) }
    end

    class << self
      # As in FacterDB, the files are read once in a process.
      def directory(database)
        searched = ENV.values_at('FACTERDB_SEARCH_PATHS', 'FACTERDB_SKIP_DEFAULTDB')
        return @directory if @searched == searched

        @searched = searched
        state = database.facterdb_fact_files.map { |file| [file, File.size(file), File.mtime(file).to_f] }
        @directory = "#{__dir__}/facts-#{Digest::SHA256.hexdigest(state.inspect)[0, 32]}"
      end

      # Returns nil when there is no complete answer.
      def kept(path)
        sum, text = File.read(path).split("\n", 2)
        restored(text) if text && sum == Zlib.crc32(text).to_s
      rescue SystemCallError, JSON::ParserError
        nil
      end

      def keep(path, facts)
        text = JSON.generate(symbols: facts.any? && facts.first.each_key.all?(Symbol), facts: facts)
        return unless restored(text) == facts

        FileUtils.mkdir_p(File.dirname(path), mode: 0o700)
        File.write("#{path}.#{Process.pid}", "#{Zlib.crc32(text)}\n#{text}", perm: 0o600)
        File.rename("#{path}.#{Process.pid}", path)
      rescue SystemCallError, JSON::JSONError
        nil
      end

      private

      def restored(text)
        data = JSON.parse(text)
        data['symbols'] ? data['facts'].map { |set| set.transform_keys(&:to_sym) } : data['facts']
      end
    end
  end

  # The answers for facts of supported systems. Each call would return copies of all sets, of which
  # an example uses one.
  module SpecSets
    @kept = {}
    @given = {}.compare_by_identity
    class << self
      # The values that an answer depends on; nil when they are not known.
      def key(options)
        facts = ::RspecPuppetFacts
        return unless facts.const_defined?(:FACTS_CACHE) && facts.respond_to?(:spec_facts_strict?)

        [options.inspect, facts.custom_facts.to_s, facts.spec_facts_os_filter, facts.spec_facts_strict?,
         facts.instance_variable_get(:@metadata).object_id, ::RSpec.configuration.default_facter_version]
      end

      # The block makes the answer, and may set defaults in the options.
      def answer(key, options)
        defaults, sets = @kept[key] ||= begin
          made = yield
          [options.dup, made.transform_values { |facts| Marshal.dump(facts) }]
        end
        options.merge!(defaults)
        ::RSpec.current_example ? Copies.new(sets) : sets.transform_values { |facts| Marshal.load(facts) }
      end

      # A copy that an earlier example has not changed is used again.
      def copy(text)
        example = ::RSpec.current_example
        copy, state, owner = @given[text]
        unless copy && !owner.equal?(example) && state == copy.hash
          copy = Marshal.load(text)
          return copy if owner && owner.equal?(example)

          state = copy.hash
        end
        @given[text] = [copy, state, example]
        copy
      end
    end

    def on_supported_os(options = {})
      key = SpecSets.key(options)
      key ? SpecSets.answer(key, options) { super } : super
    end

    # A hash of copies, each made on first use. Other methods are called on the complete hash.
    class Copies < BasicObject
      SpecSets = ::Bunraku::SpecSets

      def initialize(sets)
        @sets = sets
        @made = {}
      end

      def [](name)
        @made.fetch(name) { @sets.key?(name) ? @made[name] = SpecSets.copy(@sets[name]) : nil }
      end

      def key?(name)
        @all ? @all.key?(name) : @sets.key?(name)
      end

      def keys
        @all ? @all.keys : @sets.keys
      end

      def to_hash
        @all ||= @sets.each_key.to_h { |name| [name, self[name]] }.tap { |all| @made = all }
      end

      def method_missing(...)
        to_hash.public_send(...)
      end

      def respond_to_missing?(...)
        to_hash.respond_to?(...)
      end

      %i[== != ! instance_eval instance_exec equal? __id__].each do |name|
        define_method(name) { |*arguments, &block| to_hash.__send__(name, *arguments, &block) }
      end
    end
  end
end
