
module Bunraku
  # FacterDB reads all of its sets for each question. Answers are kept beside this file, by the question and the state of the
  # files that they come from.
  module SpecFacts
    def get_facts(*arguments, **options)
      return super unless arguments.first.is_a?(Hash)

      path = "#{SpecFacts.directory(self)}/#{Digest::SHA256.hexdigest([arguments, options].inspect)[0, 32]}.json"
      SpecFacts.kept(path) || super.tap { |facts| SpecFacts.keep(path, facts) }
    end

    class << self
      # FacterDB, too, reads its files once a process.
      def directory(database)
        searched = ENV.values_at('FACTERDB_SEARCH_PATHS', 'FACTERDB_SKIP_DEFAULTDB')
        return @directory if @searched == searched

        @searched = searched
        state = database.facterdb_fact_files.map { |file| [file, File.size(file), File.mtime(file).to_f] }
        @directory = "#{__dir__}/facts-#{Digest::SHA256.hexdigest(state.inspect)[0, 32]}"
      end

      # Nil when there is no whole answer.
      def kept(path)
        digest, text = File.read(path).split("\n", 2)
        restored(text) if digest == Digest::SHA256.hexdigest(text.to_s)
      rescue SystemCallError, JSON::ParserError
        nil
      end

      def keep(path, facts)
        text = JSON.generate(symbols: facts.any? && facts.first.each_key.all?(Symbol), facts: facts)
        return unless restored(text) == facts

        FileUtils.mkdir_p(File.dirname(path), mode: 0o700)
        File.write("#{path}.#{Process.pid}", "#{Digest::SHA256.hexdigest(text)}\n#{text}", perm: 0o600)
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

  # Each question for the facts of supported systems is answered with copies of all sets, and examples take one of them.
  module SpecSets
    @kept = {}
    @given = {}.compare_by_identity
    class << self
      # What an answer depends on; nil when it is not known.
      def key(options)
        facts = ::RspecPuppetFacts
        return unless facts.const_defined?(:FACTS_CACHE) && facts.respond_to?(:spec_facts_strict?)

        [options.inspect, facts.custom_facts.to_s, facts.spec_facts_os_filter, facts.spec_facts_strict?,
         facts.instance_variable_get(:@metadata).object_id, ::RSpec.configuration.default_facter_version]
      end

      # The block asks, and is given options to set defaults in.
      def answer(key, options)
        defaults, sets = @kept[key] ||= begin
          made = yield
          [options.dup, made.transform_values { |facts| Marshal.dump(facts) }]
        end
        options.merge!(defaults)
        ::RSpec.current_example ? Copies.new(sets) : sets.transform_values { |facts| Marshal.load(facts) }
      end

      # A copy that an earlier example has left as it was is as good as a new one.
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

    # A hash of copies, each made when it is looked at; whatever else is asked, is asked of the whole hash.
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
