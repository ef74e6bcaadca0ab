
module Bunraku
  # Detects examples that depend on state which only this process has.
  module SpecObstacles
    class << self
      # The reason why the reference has to compile; nil when there is none.
      def of(environment)
        replaced_hiera || stub || function_of_specs(environment)
      end

      # The stubbed object; nil when nothing is stubbed.
      def stub
        stub_of_rspec || stub_of_mocha
      end

      # Whether nothing is stubbed except Puppet's features by helpers.
      def features_are_real?
        return false unless defined?(::RSpec::Mocks) && stub.nil?

        space = ::RSpec::Mocks.space
        return false unless space.respond_to?(:proxies) && space.respond_to?(:id_for, true)

        proxy = space.proxies[space.send(:id_for, ::Puppet.features)]
        proxy.nil? || (proxy.instance_variable_get(:@method_doubles).keys - %i[root?]).empty?
      end

      private

      def replaced_hiera
        configuration = ::RSpec.configuration
        return unless configuration.respond_to?(:fixture_hiera_configs)
        return if configuration.fixture_hiera_configs.empty? &&
                  !configuration.disable_module_hiera && !configuration.use_fixture_spec_hiera

        'the Hiera configuration of modules is replaced'
      end

      def stub_of_rspec
        return unless defined?(::RSpec::Mocks)

        space = ::RSpec::Mocks.space
        return unless space.respond_to?(:proxies)
        return 'instances of a class are stubbed' unless space.any_instance_recorders.empty?

        stubbed = space.proxies.each_value.find { |proxy| counts?(proxy) }
        stubbed && "#{name_of(stubbed.object)} is stubbed"
      end

      def counts?(proxy)
        return false unless proxy.is_a?(::RSpec::Mocks::PartialDoubleProxy)

        !harmless?(proxy.object)
      end

      # Stubs that helpers set before every example.
      def harmless?(object)
        object.equal?(::Puppet.features) || (defined?(::Selinux) && object.equal?(::Selinux))
      end

      def name_of(object)
        object.is_a?(Module) ? object.name : "an object of #{object.class}"
      end

      def stub_of_mocha
        return unless defined?(::Mocha::Mockery)

        stubbed = ::Mocha::Mockery.instance.stubba.stubba_methods.find do |method|
          object = method.respond_to?(:stubbee) ? method.stubbee : nil
          object && !harmless?(object)
        end
        stubbed && 'an object is stubbed'
      rescue StandardError
        nil
      end

      # Functions of the old API that were not defined in a file of a module or of Puppet.
      def function_of_specs(environment)
        functions = ::Puppet::Parser::Functions
        [environment, ::Puppet.lookup(:root_environment)].compact.uniq.each do |place|
          methods = functions.environment_module(place)
          methods.all_function_info.each_key do |name|
            file = methods.instance_method("real_function_#{name}").source_location&.first
            return "the function #{name} is defined in specs" unless file.nil? || from_module?(file, environment)
          rescue NameError
            next
          end
        end
        nil
      end

      def from_module?(file, environment)
        @own ||= "#{File.dirname(::Puppet.method(:version).source_location.first)}/"
        file.start_with?(@own) || environment.modulepath.any? { |path| file.start_with?("#{path}/") }
      end
    end
  end

  # The settings of a compilation.
  module SpecSettings
    # Settings that compilations read, in addition to the settings that an example sets.
    NAMES = %i[basemodulepath certname codedir confdir digest_algorithm disable_warnings
               environmentpath hiera_config logdir max_errors max_warnings max_deprecations publicdir rich_data
               rundir ssldir strict strict_variables storeconfigs vendormoduledir].freeze
    OTHERS = %i[code environment environment_timeout modulepath vardir].freeze

    class << self
      # Values as texts, by name. They are read again when other values are given; computed ones are
      # read each time.
      def texts
        given = given_values
        names = NAMES | given[:memory].keys
        return read(names) if ::Puppet.settings.instance_variable_get(:@configuration_file)

        unless given == @given
          @computed = names.select { |name| computed?(name, given[:memory]) }
          @texts = read(names - @computed)
          @given = given.transform_values(&:dup)
        end
        @texts.merge(read(@computed))
      end

      private

      def given_values
        sets = ::Puppet.settings.instance_variable_get(:@value_sets)
        given = sets.transform_values { |set| set.instance_variable_get(:@values) }
        given[:memory] = given[:memory].except(*OTHERS)
        given
      end

      def read(names)
        names.to_h do |name|
          value = ::Puppet[name]
          [name, value.is_a?(Array) ? value.map { |item| Array(item).join(':') }.join(',') : value.to_s]
        end
      end

      # Returns whether the value may depend on more than the given values.
      def computed?(name, values)
        values[name].to_s.include?('$') || ::Puppet.settings.setting(name).instance_variable_get(:@default).is_a?(Proc)
      end
    end
  end

  # The overridden methods of rspec-puppet's adapters.
  module SpecAdapter
    class << self
      # How many catalogs were compiled by the reference, by reason; the key nil counts this
      # program's.
      attr_reader :compiled
      # Names of types that were loaded before modules were known, so that their providers are
      # missing.
      attr_accessor :early_types

      def install
        return if @compiled || !defined?(::RSpec::Puppet::Adapters)

        @compiled = Hash.new(0)
        ::RSpec::Puppet::Adapters.singleton_class.prepend(Choice)
        ::Puppet::Pops::Loaders.singleton_class.prepend(LateLoaders)
        SpecShortcuts.install
      end

      def summary
        in_reference = @compiled.reject { |reason, _| reason.nil? }
        return if in_reference.empty?

        reasons = in_reference.map { |reason, count| "#{count} because #{reason}" }
        "bunraku compiled #{@compiled[nil]} catalogs, the reference #{in_reference.values.sum} " \
          "(#{reasons.join(', ')})."
      end
    end

    module Choice
      def get
        @bunraku_adapter ||= super.extend(SpecAdapter)
      end
    end

    # Makes the loaders of an example's environment on demand.
    module LateLoaders
      attr_accessor :is_late

      def new(*)
        return super unless is_late

        self.is_late = false
        @is_waiting = true
        proc do
          @is_waiting = false
          super
        end
      end

      # Loaders that are made later find the type themselves.
      def register_runtime3_type(*)
        super unless @is_waiting
      end
    end

    def setup_puppet(example_group)
      return if SpecShortcuts::Standing.entered?

      ::Puppet::Pops::Loaders.is_late = true
      super
      load_providers if SpecAdapter.early_types
      SpecShortcuts::Standing.begin(example_group, self)
    ensure
      ::Puppet::Pops::Loaders.is_late = false
    end

    def catalog(node, exported)
      reason = SpecObstacles.of(current_environment)
      request = reason ? nil : request_for(node, exported)
      reason ||= 'a fact is no data' unless request
      SpecAdapter.compiled[reason] += 1
      return in_reference { super } if reason

      node.environment = current_environment
      built(request, node, exported)
    end

    private

    def load_providers
      names = SpecAdapter.early_types
      SpecAdapter.early_types = nil
      names.each { |name| ::Puppet::Type.type(name)&.providerloader&.loadall(current_environment) }
    end

    # Files that an example leaves in its directory are removed after it.
    def in_reference
      SpecShortcuts::Standing.foreign
      Garbage.as_usual do
        Dir.mktmpdir do |directory|
          ::Puppet[:vardir] = directory
          yield
        end
      end
    end

    # The text of the request; nil when JSON cannot represent part of it.
    def request_for(node, exported)
      facts = node.facts.values
      rest = JSON.generate(
        settings: spec_settings, node: node.name,
        parameters: node.parameters.reject { |name, value| facts[name].equal?(value) || facts[name] == value },
        trusted: ::Puppet.lookup(:trusted_information).to_h, server_facts: server_facts(node),
        code: ::Puppet[:code].to_s, virtual: exported
      )
      %({"facts":#{SpecShortcuts::FactsOfExamples.text(facts)},#{rest[1..]})
    rescue JSON::GeneratorError, EncodingError
      nil
    end

    def server_facts(node)
      (node.server_facts || {}).reject { |name, _| name == 'environment' }
    end

    def spec_settings
      environment = current_environment
      { **SpecSettings.texts, environment: environment.name.to_s,
        modulepath: environment.full_modulepath.join(File::PATH_SEPARATOR), vardir: SpecWorker.instance.vardir }
    end

    def built(request, node, exported)
      text = SpecWorker.instance.ask(request)
      answer = JSON.parse(text, max_nesting: false)
      log(answer['logs']) if answer['logs']
      raise_failure(answer['error']) if answer['error']

      data = SpecCatalog.new(answer['catalog'], current_environment, text.include?('"__ptype"'))
      catalog = exported ? data.build { |resource| !resource['exported'] } : data.late
      resolve_deferred(node.facts, catalog) if text.include?('"Deferred"')
      catalog
    end

    # As in rspec-puppet from version 3, which has this setting.
    def resolve_deferred(facts, catalog)
      return unless ::RSpec.configuration.respond_to?(:facter_implementation)

      ::Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(facts, catalog)
    end

    def log(records)
      records.each do |record|
        ::Puppet::Util::Log.create(level: record['level'].to_sym, source: record['source'] || 'Puppet',
                                   message: record['message'], file: record['file'], line: record['line'],
                                   pos: record['pos'])
      end
    end

    # The message includes its place already.
    def raise_failure(error)
      failure = if error['kind'] == 'evaluation'
                  ::Puppet::PreformattedError.new(error['message'], nil, nil, nil, nil, error['issue_code']&.to_sym)
                else
                  ::Puppet::Error.new(error['message'])
                end
      ::Puppet.log_exception(failure)
      raise failure
    end
  end
end

require 'rspec/core'

begin
  require 'facterdb'
  FacterDB.singleton_class.prepend(Bunraku::SpecFacts)
rescue LoadError
  nil # suites without it have facts of their own
end

RSpec.configure do |config|
  config.backtrace_exclusion_patterns << /#{Regexp.escape(__FILE__)}/ # the adapter's lines show no mistake of a suite
  config.before(:suite) do
    Bunraku::SpecAdapter.install
    Bunraku::Garbage.keep
  end
  config.before(:context) { Bunraku::SpecShortcuts::Standing.begin_group(self.class) }
  config.before { Bunraku::SpecShortcuts::Libraries.keep_or_leave }
  config.after { Bunraku::Garbage.collect }
  config.after(:suite) do
    Puppet::Test::TestHelper.end_standing if Bunraku::SpecShortcuts::Standing.stays?
    summary = Bunraku::SpecAdapter.compiled && Bunraku::SpecAdapter.summary
    RSpec.configuration.reporter.message("\n#{summary}") if summary
  end
end
