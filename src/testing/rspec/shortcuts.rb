
# Results that rspec-puppet, its helpers and Puppet compute again for each example are computed once,
# and are valid while nothing that they depend on changes. Values, messages and the report of coverage
# stay the same.
module Bunraku
  module SpecShortcuts
    class << self
      # Called when rspec-puppet has been loaded. Prepending to a module affects the classes that have
      # already included it only since Ruby 3.
      def install
        return if @installed || RUBY_VERSION < '3.0'

        @installed = true
        ::RSpec::Puppet::Support.prepend(Examples)
        ::RspecPuppetFacts.prepend(SpecSets) if defined?(::RspecPuppetFacts)
        ::RSpec::Puppet::Cache.prepend(Catalogs)
        ::RSpec::Puppet::Coverage.prepend(Coverage)
        ::RSpec::Puppet::ManifestMatchers::Compile.prepend(Cycles)
        ::RSpec::Puppet::ManifestMatchers::CreateGeneric.prepend(Relations)
        ::Puppet::Resource.prepend(Relations::Objects)
        ::Puppet::Util::Log.singleton_class.prepend(TypeObjects::Messages)
        ::Puppet::Type.prepend(TypeObjects::Looks)
        ::Puppet::Type.prepend(AutoRelations)
        ::Puppet::Type::RelationshipMetaparam.prepend(References)
        ::RSpec::Puppet::Support.prepend(HostSelinux) if HostSelinux.disabled?
        ::RSpec::Puppet::Setup.singleton_class.prepend(Setup)
        ::RSpec::Puppet::Consts.singleton_class.prepend(Constants) if defined?(::RSpec::Puppet::Consts)
        ::Puppet::Util::Feature.prepend(Features)
        ::Puppet::Parser::Functions.singleton_class.prepend(Functions)
        ::Puppet::Type.type(:component).prepend(Components)
        install_facts
        return unless defined?(::Puppet::Test::TestHelper)

        ::Puppet::Test::TestHelper.singleton_class.prepend(Helper)
        ::Puppet::Settings.prepend(Helper::Hooks)
      end

      # Puppet loads Facter with its first question, which it asks before each example.
      def install_facts
        require 'facter'
        return unless ::Facter::VERSION.to_i >= 4

        ::Facter.singleton_class.prepend(LateFacts)
        ::RSpec::Puppet::FacterTestImpl.prepend(LateFacts::StandIn) if defined?(::RSpec::Puppet::FacterTestImpl)
        ::Puppet::Type.singleton_class.prepend(Providers)
        ::Puppet.singleton_class.prepend(Providers::Warnings)
        @has_facts = true
      rescue LoadError
        nil # rspec-puppet then has a substitute
      end

      # Returns whether examples read their facts through this Facter.
      def facter?
        @has_facts && (!defined?(::FacterImpl) || ::FacterImpl.equal?(::Facter))
      end
    end

    # The library directories of modules stay on Ruby's path between examples of rspec-puppet. They
    # are removed before any other example: one of facts would find the facts of all modules.
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

        # Called before an example, and before Puppet's helper saves the path.
        def keep_or_leave
          return if @added.empty? || ::RSpec::Puppet.rspec_puppet_example?

          ::Puppet::Test::TestHelper.end_standing if Standing.stays?
          $LOAD_PATH.replace($LOAD_PATH - @added)
          @added = []
        end
      end
    end

    # rspec-puppet reads the module's name from its manifests before each group.
    module Setup
      def get_module_name
        manifests = Dir['manifests/*.pp'].map { |file| [file, File.mtime(file)] }
        return @module_name[1] if @module_name && @module_name[0] == [Dir.pwd, manifests]

        super.tap { |name| @module_name = [[Dir.pwd, manifests], name] }
      end
    end

    # Puppet's helper empties Ruby's path after each example and fills it again, after which Ruby
    # searches all of its directories.
    module Helper
      def before_each_test
        if Standing.stays? && class_variable_get(:@@reentry_count).zero?
          if Standing.enter(::RSpec.configuration.adapter)
            ::Puppet::Parser::Functions.reset
            return class_variable_set(:@@reentry_count, 1)
          end
          end_standing
        end
        Standing.before_beginning
        # The adapter of rspec-puppet sets the defaults of settings next, which calls their hooks.
        Hooks.wait = ::RSpec::Puppet.rspec_puppet_example?
        super
      ensure
        Hooks.wait = false
      end

      # Takes down the state that stays.
      def end_standing
        class_variable_set(:@@reentry_count, 1)
        after_each_test
      end

      # The hooks of settings, which wait until the adapter has set the defaults.
      module Hooks
        class << self
          attr_accessor :wait
        end

        private

        def call_hooks_deferred_to_application_initialization(*)
          super unless Hooks.wait
        end
      end

      def after_each_test
        return super unless class_variable_get(:@@reentry_count) == 1
        return class_variable_set(:@@reentry_count, 0) if !Standing.stays? && Standing.leave

        Standing.end
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

      # Prepended to the path: keeps it while the helper restores the same path.
      module Kept
        class << self
          attr_accessor :active
        end

        def clear
          Kept.active ? self : super
        end
      end
    end

    # The steps of an example group before a compilation.
    module Examples
      def with_vardir
        return super if !block_given? || is_a?(::RSpec::Puppet::FunctionExampleGroup)

        Libraries.add(adapter.modulepath)
        ::Puppet[:vardir] = vardir = SpecWorker.instance.vardir
        yield(vardir)
      end

      def site_pp_str
        path = adapter.manifest
        path && File.directory?(path) ? SiteManifests.text(path) { super } : super
      end

      # Looks only at the names of the system.
      def stub_file_consts(*)
        @bunraku_needs_system = true
        super
      ensure
        @bunraku_needs_system = false
      end

      def facts_hash(node)
        return SystemFacts.of(self) if @bunraku_needs_system && SystemFacts.known?(self)

        FactsOfExamples.of(respond_to?(:facts) ? facts : nil, node, environment, respond_to?(:node), FactsOfExamples.settings) { super }
      end

      def stub_facts!(facts)
        return LateFacts.of_stand_in(facts) { super } unless SpecShortcuts.facter?

        ::Puppet.settings[:autosign] = false if ::Puppet.settings.include?(:autosign)
        LateFacts.wait(facts, method(:stub_facts!).super_method)
      end

      def server_facts_hash
        return super unless SpecShortcuts.facter?

        LateFacts.server_facts { super }
      end
    end

    # Prepended to example groups on hosts without SELinux: rspec-puppet stubs its state as disabled for
    # each example, which takes longer than much else.
    module HostSelinux
      # What takes the answer of the stub.
      class Nothing
        def to(*)
          nil
        end
      end

      CALLER = %r{/rspec-puppet\.rb\z}.freeze
      NOTHING = Nothing.new

      # Returns whether the host gives the same answer, and RSpec makes the stubs.
      def self.disabled?
        defined?(::Selinux) && defined?(::RSpec::Core::MockingAdapters::RSpec) &&
          ::RSpec.configuration.mock_framework == ::RSpec::Core::MockingAdapters::RSpec &&
            ::Selinux.respond_to?(:is_selinux_enabled) && ::Selinux.is_selinux_enabled.zero?
      end

      def allow(*targets)
        is_known = ::Selinux.equal?(targets.first) && CALLER.match?(caller_locations(1, 1).first.path)
        is_known ? NOTHING : super
      end
    end

    # The facts that name the system of an example, as among all of its facts.
    module SystemFacts
      NAMES = %w[operatingsystem osfamily os].freeze

      class << self
        def known?(example)
          !example.respond_to?(:facts) || example.facts.is_a?(Hash)
        end

        def of(example)
          given = example.respond_to?(:facts) ? example.facts : {}
          [::RSpec.configuration.default_facts, given].each_with_object({}) do |facts, all|
            all.merge!(example.munge_facts(facts.select { |name, _| NAMES.include?(name.to_s.downcase) }))
          end.transform_keys(&:downcase)
        end
      end
    end

    # The text of the manifests in a directory, which rspec-puppet reads for each example.
    module SiteManifests
      class << self
        def text(directory)
          known, files, state, text = @known
          return text if known == directory && state && state_of(directory, files) == state

          files = Dir[File.join(directory, '*.pp')]
          state = state_of(directory, files)
          yield.tap { |read| @known = [directory, files, state, read] }
        end

        private

        def state_of(directory, files)
          [directory, *files].map do |path|
            stat = File.stat(path)
            [stat.ino, stat.size, stat.mtime]
          end
        rescue SystemCallError
          nil
        end
      end
    end

    # The facts of examples are made once for equal inputs. Examples share the values below the first
    # level.
    module FactsOfExamples
      MOST_KEPT = 500
      SETTINGS = %i[default_facts derive_node_facts_from_nodename facter_implementation stringify_facts].freeze

      @kept = {}
      class << self
        # Finds the facts that were made for equal inputs by the hash of these, of 64 bits, because
        # examples may change facts in place.
        def of(facts, *others)
          key = [facts.hash, others.hash]
          @kept.clear if @kept.size >= MOST_KEPT
          made = @kept[key] ||= yield
          made.dup.tap { |copy| copy.instance_variable_set(:@bunraku_source, made) }
        end

        # Settings of rspec-puppet that facts depend on; not every version has all of them.
        def settings
          configuration = ::RSpec.configuration
          SETTINGS.map { |name| configuration.respond_to?(name) ? configuration.public_send(name) : nil }
        end

        # The object that identifies the facts; nil when they have been changed since they were made.
        def source(facts)
          made = facts.instance_variable_get(:@bunraku_source)
          made if made && made.eql?(facts)
        end

        # Facts as JSON, made once for the facts that examples share.
        def text(facts)
          made = source(facts)
          return JSON.generate(facts) unless made

          made.instance_variable_get(:@bunraku_text) ||
            made.instance_variable_set(:@bunraku_text, JSON.generate(made).freeze)
        end
      end
    end

    # Facter receives the facts of an example when a question needs them. Its answers that depend on
    # this host's network and on the example's network facts are kept for equal facts.
    module LateFacts
      QUESTIONS = %i[[] add define_fact each fact flush list loadfacts resolve to_hash to_user_output core_value].freeze
      # Names of facts without indexes of arrays.
      PLAIN = /\A[a-z_]+(\.[a-z_]+)*\z/.freeze
      UNKNOWN = Object.new.freeze
      private_constant :QUESTIONS, :PLAIN, :UNKNOWN

      @of_network = {}
      @server_facts = {}
      @questions = 0
      class << self
        # The number of questions for facts.
        attr_accessor :questions

        def wait(facts, stub)
          @facts = @known = facts
          @stub = stub
          @facter = ::Puppet.runtime[:facter]
        end

        # The block passes facts to rspec-puppet's substitute for Facter, which keeps them until they
        # are changed.
        def of_stand_in(facts)
          yield
          @known = facts if defined?(::RSpec::Puppet::FacterTestImpl) && ::Puppet.runtime[:facter].instance_of?(::RSpec::Puppet::FacterTestImpl)
        end

        def settle
          stub = @stub or return
          @stub = nil
          # An example of Ruby code has another one.
          facter = ::Puppet.runtime[:facter]
          ::Puppet.runtime[:facter] = @facter
          stub.call(@facts) # Facter is cleared first
          @known = @facts
        ensure
          ::Puppet.runtime[:facter] = facter if facter
        end

        def forget
          @stub = @known = nil
        end

        # The object that identifies Facter's facts; nil when they are not the facts of an example.
        def source
          @known && FactsOfExamples.source(@known)
        end

        # An answer of rspec-puppet, and the names that it comes from.
        def server_facts
          key = @names&.map { |name| parts_of(name) }
          return @server_facts[key].dup if key && @server_facts.key?(key)

          @asked = []
          made = yield
          @names ||= @asked.uniq
          # Incomplete facts are not kept, because the warning about them is repeated.
          @server_facts[@names.map { |name| parts_of(name) }] = made if %w[servername serverip].all? { |name| made[name] }
          made.dup
        ensure
          @asked = nil
        end

        def value(name)
          @asked&.push(name)
          key = name.start_with?('networking.') && @facts ? [name, parts_of(name)] : nil
          return @of_network[key] if key && @of_network.key?(key)

          found = @stub ? of_example(name) : UNKNOWN
          return found unless UNKNOWN.equal?(found)

          settle
          HostNetwork.once { yield }.tap { |value| @of_network[key] = value if key }
        end

        private

        # Facter's answer for a fact of the example or a part of one, for which it reads no other fact.
        # Returns UNKNOWN when only Facter has the answer.
        def of_example(name)
          root, *keys = name.split('.')
          return UNKNOWN unless name.match?(PLAIN) && (keys.empty? || !@facts.key?(name))

          value = @facts[root]
          keys.each do |key|
            return UNKNOWN unless value.is_a?(Hash)
            return nil unless value.key?(key)

            value = value[key]
          end
          plain?(value) ? value : UNKNOWN
        end

        def plain?(value)
          value == true || value == false || value.is_a?(Integer) || (value.is_a?(String) && value.encoding == Encoding::UTF_8 && value.valid_encoding?)
        end

        # The facts of the example that the value of a name depends on.
        def parts_of(name)
          root = name[/\A[^.]+/]
          @facts.select { |fact, _| fact.to_s == root || fact.to_s.start_with?("#{root}.") }
        end
      end

      QUESTIONS.each do |name|
        define_method(name) do |*arguments, **options, &block|
          LateFacts.questions += 1
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
        LateFacts.questions += 1
        LateFacts.value(name.to_s.downcase) { super }
      end

      # Prepended to rspec-puppet's substitute for Facter.
      module StandIn
        %i[add clear].each do |name|
          define_method(name) do |*arguments, **options, &block|
            LateFacts.forget
            super(*arguments, **options, &block)
          end
        end

        %i[to_hash value].each do |name|
          define_method(name) do |*arguments|
            LateFacts.questions += 1
            super(*arguments)
          end
        end
      end

      # Puppet adds its own directories before each example.
      def search(*directories)
        super(*(directories - search_path))
      end
    end

    # Facter's facts of this host's network, for which it runs programs, and which it discards with the
    # facts of each example.
    module HostNetwork
      class << self
        # Keeps the facts that were found for an example of rspec-puppet without stubs, for further such
        # examples only.
        def once
          resolver = resolver_of_facter
          return yield unless resolver && ::RSpec::Puppet.rspec_puppet_example? && SpecObstacles.stub.nil?

          resolver.instance_variable_set(:@fact_list, @found.dup) if @found && facts_of(resolver).empty?
          begin
            yield
          ensure
            @found ||= facts_of(resolver).dup.freeze unless facts_of(resolver).empty?
            resolver.invalidate_cache
          end
        end

        private

        def resolver_of_facter
          LateFiles::Directories.load_all
          return unless defined?(::Facter::Resolvers::Linux::Networking)

          resolver = ::Facter::Resolvers::Linux::Networking
          resolver if resolver.respond_to?(:invalidate_cache) && facts_of(resolver).is_a?(Hash)
        end

        def facts_of(resolver)
          resolver.instance_variable_get(:@fact_list)
        end
      end
    end

    # Catalogs are found by their inputs, which are compared as one text instead of one by one.
    module Catalogs
      def get(*arguments, &block)
        key = Marshal.dump(named_facts(arguments))
        if @cache.key?(key)
          @lra.push(@lra.delete(key))
        else
          expire!
          @cache[key] = (block || @default_proc).call(*arguments)
          @lra.push(key)
        end
        @cache[key]
      end

      private

      # Replaces each known hash of facts by a number.
      def named_facts(arguments)
        arguments.map do |argument|
          found = named(argument)
          found.is_a?(Hash) ? found.transform_values { |value| named(value) } : found
        end
      end

      def named(value)
        facts = value.is_a?(Hash) && FactsOfExamples.source(value)
        facts ? [:facts, facts.object_id] : value
      end
    end

    # The resources of a catalog are counted once, and equal filters are added once.
    module Coverage
      def add_filter(type, title)
        super.tap { filters.pop if filters.index(filters.last) < filters.size - 1 }
      end

      def add_from_catalog(catalog, test_module)
        @counted ||= ObjectSpace::WeakMap.new
        return if @counted.key?(catalog) && @counted[catalog] == test_module

        data = SpecCatalog.data_of(catalog)
        data && respond_to?(:filter_resource?, true) ? add_from_data(data, test_module) : super
        @counted[catalog] = test_module
      end

      # The data of a resource that the report of coverage uses.
      Counted = Struct.new(:type, :title, :file) do
        def to_s
          "#{type}[#{title}]"
        end
      end

      private

      # Adds resources that are not objects yet.
      def add_from_data(data, test_module)
        data.each do |resource|
          counted = Counted.new(resource['type'], resource['title'], resource['file'] || (resource['line'] && ''))
          add(counted) unless !test_module.nil? && filter_resource?(counted, test_module)
        end
      end

      def module_paths(test_module)
        key = [::RSpec.configuration.adapter.modulepath, test_module]
        return @module_paths[1] if @module_paths && @module_paths[0] == key

        @module_paths = [key, super]
        @module_paths[1]
      end
    end

    # Ruby empties its caches of all constants when one is set.
    module Constants
      def stub_const_wrapper(const, value)
        holder, name = const.split('::', 2)
        super unless ::Object.const_get(holder).const_get(name) == value
      end
    end

    # rspec-puppet defines features of systems again for each example, each loaded file and each
    # resource that becomes an object. Each definition of a method empties Ruby's caches of methods:
    # here a feature is one method, which returns the latest value.
    module Features
      PATH = %r{/rspec-puppet/(consts|monkey_patches)\.rb\z}.freeze

      def add(name, options = {}, &block)
        return super unless options.empty? && block && Features.of_rspec_puppet?(block)

        question = :"#{name}?"
        values = (@bunraku_values ||= {})
        values[name] = block.call
        @results.delete(name)
        methods = (@bunraku_methods ||= {})
        return if methods.key?(name) && methods[name] == method(question)

        define_singleton_method(question) { values[name] ? true : false }
        methods[name] = method(question)
      end

      @known = {}
      class << self
        def of_rspec_puppet?(block)
          file = block.source_location&.first
          @known.fetch(file) { @known[file] = PATH.match?(file.to_s) }
        end
      end
    end

    # Puppet's helper removes all functions of the old API before each example and defines the ones for
    # logging again. This is left out while there are no others.
    module Functions
      def reset
        environment = ::Puppet.lookup(:root_environment)
        known, functions, described = @bunraku_reset
        current = environment_module(environment) if known.equal?(environment)
        return if current && current.equal?(functions) && same?(current.all_function_info, described)

        super
        functions = environment_module(environment)
        @bunraku_reset = [environment, functions, functions.all_function_info.dup]
      end

      private

      def same?(current, known)
        current.size == known.size && known.all? { |name, description| current[name].equal?(description) }
      end
    end

    # Searches for relations of resources convert both resources of each pair to objects. Each object
    # is made once for a call of a matcher.
    module Relations
      class << self
        # By resource, during a search for relations; nil otherwise.
        attr_accessor :objects
      end

      # Prepended to Puppet's resources, which make the objects.
      module Objects
        def to_ral
          objects = Relations.objects
          objects ? (objects[self] ||= TypeObjects.of(self) { super }) : TypeObjects.of(self) { super }
        end

        def copy_as_resource
          TypeObjects.copy(self) { super }
        end
      end

      def matches?(*)
        @bunraku_relations = {}
        @bunraku_objects = {}.compare_by_identity
        super
      ensure
        @bunraku_relations = @bunraku_objects = nil
      end

      private

      # The results of calls within the first one depend on the resources that have been visited.
      def relationship_refs(resource, type, *visited)
        return super unless visited.empty? && @bunraku_relations

        found = (@bunraku_relations[type] ||= {}.compare_by_identity)
        found[resource] ||= begin
          Relations.objects = @bunraku_objects
          TypeObjects.within { super }
        ensure
          Relations.objects = nil
        end
      end
    end

    # Shares objects of types among catalogs with equal resources. An object has its first state again
    # each time that a catalog takes it. Only searches for relations and cycles use these objects, one
    # at a time.
    module TypeObjects
      MOST_KEPT = 5_000

      # A substitute for the copy of a resource whose object exists.
      Known = Struct.new(:object, :variables, :catalog) do
        def to_ral
          (object.instance_variables - variables.keys).each { |name| object.remove_instance_variable(name) }
          variables.each { |name, value| object.instance_variable_set(name, value) }
          object.catalog = catalog
          object
        end
      end

      @kept = {}
      class << self
        # The number of messages, and of reads of the catalog.
        attr_accessor :messages, :looks

        # Shares objects while the block runs, if everything they depend on is known.
        def within
          outer = @state
          @state = Providers.state
          yield
        ensure
          @state = outer
        end

        def within?
          !@state.nil?
        end

        def copy(resource)
          known = kept_for(resource)
          return known if known

          yield.tap { |copy| copy.instance_variable_set(:@bunraku_data, resource.instance_variable_get(:@bunraku_data)) if @state }
        end

        def of(resource, &block)
          known = kept_for(resource)
          return make(resource, &block) unless known

          known.catalog = resource.catalog
          known.to_ral
        end

        private

        # Returns nil for a resource that was changed.
        def data_of(resource)
          data, state = resource.instance_variable_get(:@bunraku_data)
          data if data && state == resource.instance_variable_get(:@parameters).hash
        end

        def kept_for(resource)
          data = @state && data_of(resource)
          data && (@kept[key_of(data)] || @kept[[@state, data]])
        end

        # Everything that an object depends on whose creation asked for no facts.
        def key_of(data)
          type = data['kind'] == 'compilable_type' ? ::Puppet::Type.type(data['type']) : nil
          has_default = type&.attrclass(:provider) && !data['parameters']&.key?('provider')
          [@state.last, has_default ? type.defaultprovider : nil, data]
        end

        def make(resource)
          data = @state && resource.instance_variable_get(:@bunraku_data)&.first
          return yield unless data

          key = key_of(data)
          before = [messages, looks]
          asked = LateFacts.questions
          object = yield
          keep(asked == LateFacts.questions ? key : [@state, data], object) if before == [messages, looks]
          object
        end

        def keep(key, object)
          @kept.clear if @kept.size >= MOST_KEPT
          variables = object.instance_variables.to_h { |name| [name, object.instance_variable_get(name)] }
          @kept[key] = Known.new(object, variables.reject { |name, _| name == :@catalog })
        end
      end

      # Prepended to Puppet's log.
      module Messages
        def create(...)
          TypeObjects.messages += 1
          super
        end
      end

      # Prepended to Puppet's types.
      module Looks
        def catalog
          TypeObjects.looks += 1
          super
        end
      end
      self.messages = self.looks = 0
    end
  end
end
