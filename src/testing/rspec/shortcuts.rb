
# What rspec-puppet, its helpers and Puppet do anew for each example is done once here, for as long as nothing that it depends on
# changes. Values, messages and the report of coverage are those that would have come of it.
module Bunraku
  module SpecShortcuts
    class << self
      # After rspec-puppet has been loaded. Modules that are included already see what is prepended from Ruby 3 on.
      def install
        return if @installed || RUBY_VERSION < '3.0'

        @installed = true
        ::RSpec::Puppet::Support.prepend(Examples)
        ::RSpec::Puppet::Cache.prepend(Catalogs)
        ::RSpec::Puppet::Coverage.prepend(Coverage)
        ::RSpec::Puppet::Consts.singleton_class.prepend(Constants) if defined?(::RSpec::Puppet::Consts)
        ::Puppet::Confine.singleton_class.prepend(Confines) if defined?(::Puppet::Confine)
        ::Facter.singleton_class.prepend(LateFacts) if facter?
        ::Puppet::Test::TestHelper.singleton_class.prepend(Helper) if defined?(::Puppet::Test::TestHelper)
      end

      # The facts that examples have are seen through this Facter.
      def facter?
        return false unless defined?(::Facter::VERSION) && ::Facter::VERSION.to_i >= 4

        !defined?(::FacterImpl) || ::FacterImpl.equal?(::Facter)
      end
    end

    # The library directories of modules stay on Ruby's path from example to example, until there is one that is not
    # rspec-puppet's: examples of facts would see the facts of all modules.
    module Libraries
      @found = {}
      @added = []

      class << self
        def add(modulepath)
          all = modulepath.flat_map { |directory| @found[directory] ||= Dir["#{directory}/*/lib"] }
          return if all.empty? || $LOAD_PATH.include?(all.last)

          missing = all - $LOAD_PATH
          @added |= missing
          $LOAD_PATH.concat(missing)
          $old_load_path&.concat(missing) # Puppet's helper restores the path after each example
        end

        # Before an example, and before Puppet's helper remembers the path.
        def keep_or_leave
          return if @added.empty? || ::RSpec::Puppet.rspec_puppet_example?

          $LOAD_PATH.replace($LOAD_PATH - @added)
          @added = []
        end
      end
    end

    # Puppet's helper empties Ruby's path after each example and fills it again, and Ruby looks at all of its directories then.
    module Helper
      def after_each_test
        return super unless $old_load_path == $LOAD_PATH

        $old_load_path = []
        $LOAD_PATH.singleton_class.prepend(Kept)
        begin
          Kept.active = true
          super
        ensure
          Kept.active = false
        end
      end

      # The path when it is as it was.
      module Kept
        class << self
          attr_accessor :active
        end

        def clear
          Kept.active ? self : super
        end
      end
    end

    # What an example group does to compile.
    module Examples
      def with_vardir
        return super if !block_given? || is_a?(::RSpec::Puppet::FunctionExampleGroup)

        Libraries.add(adapter.modulepath)
        ::Puppet[:vardir] = vardir = SpecWorker.instance.vardir
        yield(vardir)
      end

      # Names of facts as text, at every depth. What is below the first depth is shared among examples.
      def munge_facts(facts)
        return super unless facts.is_a?(Hash)

        facts.each_with_object({}) { |(name, value), munged| munged[name.to_s] = Munged.of(value) }
      end

      def stub_facts!(facts)
        return super unless SpecShortcuts.facter?

        ::Puppet.settings[:autosign] = false if ::Puppet.settings.include?(:autosign)
        LateFacts.wait(facts, method(:stub_facts!).super_method)
      end

      def server_facts_hash
        return super unless SpecShortcuts.facter?

        LateFacts.server_facts { super }
      end
    end

    # Facts of a set are the same objects in all examples that have the set.
    module Munged
      MOST_KEPT = 10_000

      @kept = {}.compare_by_identity
      class << self
        # rspec-puppet sets members of a fact, so that this is a copy at its first depth.
        def of(value)
          value.is_a?(Hash) || value.is_a?(Array) ? kept(value).dup : value
        end

        private

        def kept(value)
          state, munged = @kept[value]
          return munged if state && state == value.hash

          @kept.clear if @kept.size > MOST_KEPT
          made(value).tap { |copy| @kept[value] = [value.hash, copy] }
        end

        def made(value)
          case value
          when Hash then value.to_h { |name, item| [name.to_s, made(item)] }
          when Array then value.map { |item| made(item) }
          else value
          end
        end
      end
    end

    # Facter has the facts of an example when something asks Facter. What Facter knows of this host alone is asked once: facts of an
    # example have no part in a name like networking.fqdn, which core facts answer first.
    module LateFacts
      QUESTIONS = %i[[] add define_fact each fact flush list loadfacts resolve to_hash to_user_output core_value].freeze
      private_constant :QUESTIONS

      @of_host = {}
      @server_facts = {}
      class << self
        def wait(facts, stub)
          @facts = facts
          @stub = stub
        end

        def settle
          stub = @stub or return
          @stub = nil
          stub.call(@facts)
        end

        def forget
          @stub = nil
        end

        # The names that an answer of rspec-puppet comes from, and those of them that an example's facts decide.
        def server_facts
          key = @names&.map { |name| @facts[name] }
          return @server_facts[key].dup if key && @server_facts.key?(key)

          @asked = []
          made = yield
          @names ||= @asked.uniq.reject { |name| name.include?('.') }
          # What could not be found is said each time.
          @server_facts[@names.map { |name| @facts[name] }] = made if %w[servername serverip].all? { |name| made[name] }
          made.dup
        ensure
          @asked = nil
        end

        def value(name)
          @asked&.push(name)
          return @of_host[name] if @of_host.key?(name)

          settle
          yield.tap { |value| @of_host[name] = value if name.include?('.') && @facts && of_host?(name) }
        end

        private

        def of_host?(name)
          @facts.each_key.none? { |fact| fact.to_s.include?('.') } && ::Facter.fact(name)&.type == :core
        end
      end

      QUESTIONS.each do |name|
        define_method(name) do |*arguments, **options, &block|
          LateFacts.settle
          super(*arguments, **options, &block)
        end
      end

      def clear
        LateFacts.forget
        super
      end

      def reset
        LateFacts.forget
        super
      end

      def value(name)
        LateFacts.value(name.to_s.downcase) { super }
      end

      # Puppet adds its own directories before each example.
      def search(*directories)
        super(*(directories - search_path))
      end
    end

    # Catalogs of examples that were compiled of the same. What they were compiled of is compared as one text.
    module Catalogs
      def get(*arguments, &block)
        key = Marshal.dump(arguments)
        if @cache.key?(key)
          @lra.push(@lra.delete(key))
        else
          expire!
          @cache[key] = (block || @default_proc).call(*arguments)
          @lra.push(key)
        end
        @cache[key]
      end
    end

    # A catalog is counted once, and a filter is kept once.
    module Coverage
      def add_filter(type, title)
        super.tap { filters.pop if filters.index(filters.last) < filters.size - 1 }
      end

      def add_from_catalog(catalog, test_module)
        return if catalog.instance_variable_get(:@bunraku_counted) == [test_module]

        super
        catalog.instance_variable_set(:@bunraku_counted, [test_module])
      end

      private

      def module_paths(test_module)
        adapter = ::RSpec.configuration.adapter
        return @module_paths[1] if @module_paths && @module_paths[0] == [adapter.object_id, test_module]

        @module_paths = [[adapter.object_id, test_module], super]
        @module_paths[1]
      end
    end

    # Ruby forgets what it knows of all constants when one is set.
    module Constants
      def stub_const_wrapper(const, value)
        holder, name = const.split('::', 2)
        super unless ::Object.const_get(holder).const_get(name) == value
      end
    end

    # Names of facts are no tests of their own; Puppet looks for a file each time.
    module Confines
      def test(name)
        return super if @tests.include?(name)

        @missing ||= {}
        return if @missing[name] == $LOAD_PATH

        Suggestions.without { super }.tap { |found| @missing[name] = $LOAD_PATH.dup unless found }
      end
    end

    # Ruby's suggestions for a file that cannot be loaded look at all that could be.
    module Suggestions
      class << self
        def without
          was = @without
          @without = true
          ::DidYouMean::RequirePathChecker.prepend(self) if defined?(::DidYouMean::RequirePathChecker)
          yield
        ensure
          @without = was
        end

        def wanted?
          !@without
        end
      end

      def corrections
        Suggestions.wanted? ? super : []
      end
    end
  end
end
