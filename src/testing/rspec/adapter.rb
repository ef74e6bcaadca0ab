# Lets rspec-puppet compile catalogs with bunraku: one process answers all examples, and its answers
# become the objects that the matchers look at. Spec files and helpers stay as they are.
#
# An example is compiled by the reference where bunraku could not see what it depends on: functions
# that a spec file defines, and stubs of Puppet's own objects. How many did is said at the end.
require 'digest'
require 'fileutils'
require 'json'
require 'set'
require 'tmpdir'

module Bunraku
  # Ruby's compiled form of the files that suites load: Puppet, RSpec and helpers are 1,400 files, and parsing them takes half of
  # the start. Kept in one file beside this one, for this Ruby alone.
  class SpecSequences
    PATH = "#{__dir__}/sequences-#{Digest::SHA256.hexdigest(RUBY_DESCRIPTION)[0, 16]}".freeze
    LARGEST = 64 << 20

    class << self
      def install
        return if !defined?(::RubyVM::InstructionSequence) || ::RubyVM::InstructionSequence.respond_to?(:load_iseq)

        sequences = new
        ::RubyVM::InstructionSequence.define_singleton_method(:load_iseq) { |file| sequences.of(file) }
        pid = Process.pid
        at_exit { sequences.save if Process.pid == pid }
      end
    end

    def initialize
      @own = "#{Dir.pwd}/"
      @kept = read
      @made = {}
    end

    # Nil lets Ruby read the file.
    def of(file)
      return if file.start_with?(@own) || !file.end_with?('.rb') || (defined?(::Coverage) && ::Coverage.running?)

      stat = File.stat(file)
      state = [stat.size, stat.mtime.to_i, stat.mtime.nsec]
      known = @kept[file]
      return ::RubyVM::InstructionSequence.load_from_binary(known[1]) if known && known[0] == state

      ::RubyVM::InstructionSequence.compile_file(file).tap { |made| @made[file] = [state, made] }
    rescue SystemCallError, RuntimeError, SyntaxError
      nil
    end

    def save
      return if @made.empty?

      all = @kept.merge(@made.transform_values { |state, made| [state, made.to_binary] })
      data = Marshal.dump(all)
      return File.exist?(PATH) && File.delete(PATH) if data.bytesize > LARGEST

      File.binwrite("#{PATH}.#{Process.pid}", Digest::SHA256.digest(data) + data, perm: 0o600)
      File.rename("#{PATH}.#{Process.pid}", PATH)
    rescue SystemCallError, RuntimeError
      nil
    end

    private

    # What another user could have written, or what is not whole, does not count.
    def read
      File.open(PATH, 'rb') do |file|
        stat = file.stat
        return {} unless stat.owned? && (stat.mode & 0o022).zero?

        digest = file.read(32)
        data = file.read.to_s
        Digest::SHA256.digest(data) == digest ? Marshal.load(data) : {}
      end
    rescue SystemCallError, TypeError, ArgumentError
      {}
    end
  end
  SpecSequences.install
end

module Bunraku
  # What examples leave behind is collected between them, when it has become much: most of it is code and facts, which stay.
  module Garbage
    MOST_OBJECTS = 2_500_000
    MOST_BYTES = 192 << 20

    class << self
      def start
        @kept = GC.stat(:heap_live_slots)
        GC.disable
      end

      def collect
        return if GC.stat(:heap_live_slots) - @kept < MOST_OBJECTS && GC.stat(:malloc_increase_bytes) < MOST_BYTES

        as_usual { GC.start }
        @kept = GC.stat(:heap_live_slots)
      end

      # Ruby decides by itself while the block runs.
      def as_usual
        GC.enable
        yield
      ensure
        GC.disable
      end
    end
  end
  Garbage.start
end

require 'puppet'

module Bunraku
  # The process that compiles. It belongs to the process that has started it.
  class SpecWorker
    class << self
      def instance
        @instance = nil unless @pid == Process.pid
        @pid = Process.pid
        @instance ||= new
      end
    end

    # What modules may write into, for as long as the process lives.
    attr_reader :vardir

    def initialize
      @vardir = Dir.mktmpdir('bunraku-rspec')
      pid = Process.pid
      at_exit { close if Process.pid == pid }
    end

    # The answer's text, for that of a request.
    def ask(request)
      @io ||= IO.popen([PROGRAM, 'rspec', '--serve'], 'r+b')
      @io.write(request, "\n")
      @io.flush
      @io.gets&.force_encoding(Encoding::UTF_8) or raise 'bunraku has ended'
    end

    def close
      @io&.close
      FileUtils.rm_rf(@vardir)
    end
  end

  # A catalog of Puppet's own objects from the catalog that the process answers with.
  class SpecCatalog
    # Types of the language that take parameters; what else has some names a resource.
    LANGUAGE_TYPES = %w[Any Array Binary Boolean Callable CatalogEntry Collection Data Default Deferred Enum Float Hash Init
                        Integer Iterable Iterator NotUndef Numeric Object Optional Pattern Regexp Resource RichData Runtime
                        Scalar ScalarData SemVer SemVerRange Sensitive String Struct Timespan Timestamp Tuple Type TypeAlias
                        TypeReference TypeSet Undef Unit URI Variant].freeze
    KINDS = { 'Class' => :hostclass, 'Node' => :node }.freeze

    @types = {}
    class << self
      # What resources of a class, define or node have for a type: their manifests are not read here.
      def type_of(data)
        kind = KINDS[data['type']] || (data['kind'] == 'defined_type' ? :definition : nil)
        return unless kind

        name = (kind == :definition ? data['type'] : data['title']).downcase
        @types[[kind, name]] ||= ::Puppet::Resource::Type.new(kind, name)
      end
    end

    def initialize(data, environment, has_rich_values)
      @data = data
      @environment = environment
      @has_rich_values = has_rich_values
    end

    # Resources that the block is true for are left out.
    def build
      catalog = ::Puppet::Resource::Catalog.new(@data['name'], @environment)
      catalog.version = @data['version']
      catalog.catalog_uuid = @data['catalog_uuid'] if @data['catalog_uuid']
      resources = {}
      @data['resources'].each do |data|
        next if block_given? && yield(data)

        resource = resource_of(data)
        resource.catalog = catalog
        resources[resource.ref] = resource
        catalog.add_resource(resource)
      end
      @data['edges'].each do |edge|
        source = resources[edge['source']]
        target = resources[edge['target']]
        catalog.add_edge(source, target) if source && target
      end
      catalog.add_class(*@data['classes'])
      catalog.tag(*@data['tags'])
      catalog
    end

    private

    # Made as the reference makes a resource from serialised data, without what looks for its type.
    def resource_of(data)
      resource = ::Puppet::Resource.allocate
      set = ->(name, value) { resource.instance_variable_set(name, value) }
      set[:@type, data['type']]
      set[:@title, data['title']]
      set[:@kind, data['kind']]
      type = self.class.type_of(data)
      set[:@rstype, type] if type
      set[:@environment, @environment]
      # Code that is no file has a name without letters.
      set[:@file, data['file'] || (data['line'] && '')]
      set[:@line, data['line']]
      set[:@exported, data['exported']]
      set[:@virtual, data['virtual'] || false]
      set[:@sensitive_parameters, (data['sensitive_parameters'] || []).map(&:to_sym)]
      set[:@tags, ::Puppet::Util::TagSet.new(data['tags'])]
      set[:@parameters, {}]
      set[:@parameters, parameters_of(resource, data, type.nil?)]
      resource
    end

    # What the title says comes first, as in the reference's catalogs.
    def parameters_of(resource, data, is_native)
      parameters = is_native ? resource.send(:parse_title) : { name: data['title'] }
      (data['parameters'] || {}).each do |name, value|
        parameters[name.to_sym] = @has_rich_values ? value_of(value) : value
      end
      parameters
    end

    def value_of(value)
      case value
      when Array then value.map { |item| value_of(item) }
      when Hash
        return value.transform_values { |item| value_of(item) } unless value.key?('__ptype')
        return of_type(value['__pvalue']) if value['__ptype'] == 'Type'

        with_references(::Puppet::Pops::Serialization::FromDataConverter.convert(with_pcore_types(value)))
      else value
      end
    end

    # References are types in what the process answers, and resources in the reference's catalogs.
    def of_type(text)
      named = /\A([A-Z]\w*(?:::[A-Z]\w*)*)\[(.*)\]\z/m.match(text)
      return reference(named[1], named[2]) if named && !LANGUAGE_TYPES.include?(named[1])

      with_references(::Puppet::Pops::Types::TypeParser.singleton.parse(text))
    end

    # As the reference reads types within other values.
    def with_pcore_types(value)
      case value
      when Array then value.map { |item| with_pcore_types(item) }
      when Hash
        return value.transform_values { |item| with_pcore_types(item) } unless value['__ptype'] == 'Type'

        type = ::Puppet::Pops::Types::TypeParser.singleton.parse(value['__pvalue'])
        ::Puppet::Pops::Serialization::ToDataConverter.convert(type, rich_data: true)
      else value
      end
    end

    def with_references(value)
      case value
      when ::Puppet::Pops::Types::PResourceType
        value.title ? reference(value.type_name, value.title) : value
      when ::Puppet::Pops::Types::PClassType
        value.class_name ? reference('Class', value.class_name) : value
      when Array then value.map { |item| with_references(item) }
      when Hash then value.to_h { |key, item| [with_references(key), with_references(item)] }
      else value
      end
    end

    def reference(type, title)
      reference = ::Puppet::Resource.allocate
      name = ::Puppet::Resource.type_and_title(type, title)
      reference.instance_variable_set(:@type, name[0])
      reference.instance_variable_set(:@title, name[1])
      reference.instance_variable_set(:@environment, @environment)
      reference.instance_variable_set(:@parameters, {})
      reference.instance_variable_set(:@sensitive_parameters, [])
      reference.instance_variable_set(:@exported, false)
      reference
    end
  end

  # Whether what an example compiles can be seen from outside of this process.
  module SpecObstacles
    class << self
      # The reason why the reference has to compile; nil when there is none.
      def of(environment)
        replaced_hiera || stub_of_rspec || stub_of_mocha || function_of_specs(environment)
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

      # What helpers stub before every example.
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

      # Functions of the old API that no file of a module or of Puppet has defined.
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

  # What an adapter of rspec-puppet does differently.
  module SpecAdapter
    # Settings that compilations read, in addition to the settings that an example sets.
    SETTINGS = %i[basemodulepath certname codedir confdir digest_algorithm disable_warnings
                  environmentpath hiera_config max_errors max_warnings max_deprecations rich_data strict
                  strict_variables storeconfigs vendormoduledir].freeze

    class << self
      # By reason: how many catalogs the reference compiled; nil: this program.
      attr_reader :compiled
      # Names of types that were loaded before there were modules, whose providers are not known yet.
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
        super.extend(SpecAdapter)
      end
    end

    # The loaders of an example's environment are made when something asks for them.
    module LateLoaders
      attr_accessor :is_late

      def new(*)
        return super unless is_late

        self.is_late = false
        proc { super }
      end
    end

    def setup_puppet(example_group)
      ::Puppet::Pops::Loaders.is_late = true
      super
      load_providers if SpecAdapter.early_types
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

    # What an example leaves in its directory is not there for the next one.
    def in_reference
      Garbage.as_usual do
        Dir.mktmpdir do |directory|
          ::Puppet[:vardir] = directory
          yield
        end
      end
    end

    # Its text; nil when something in it has no form in JSON.
    def request_for(node, exported)
      facts = node.facts.values
      JSON.generate(
        settings: spec_settings, node: node.name, facts: facts,
        parameters: node.parameters.reject { |name, value| facts[name].equal?(value) || facts[name] == value },
        trusted: ::Puppet.lookup(:trusted_information).to_h, server_facts: server_facts(node),
        code: ::Puppet[:code].to_s, virtual: exported
      )
    rescue JSON::GeneratorError, EncodingError
      nil
    end

    def server_facts(node)
      (node.server_facts || {}).reject { |name, _| name == 'environment' }
    end

    def spec_settings
      settings = (SETTINGS | settings_of_example).to_h do |name|
        value = ::Puppet[name]
        [name, value.is_a?(Array) ? value.join(',') : value.to_s]
      end
      environment = current_environment
      settings[:environment] = environment.name.to_s
      settings[:modulepath] = environment.full_modulepath.join(File::PATH_SEPARATOR)
      settings[:vardir] = SpecWorker.instance.vardir
      settings
    end

    def settings_of_example
      sets = ::Puppet.settings.instance_variable_get(:@value_sets)
      names = sets && sets[:memory]&.instance_variable_get(:@values)&.keys
      names.to_a - %i[code environment environment_timeout modulepath vardir]
    end

    def built(request, node, exported)
      text = SpecWorker.instance.ask(request)
      answer = JSON.parse(text, max_nesting: false)
      log(answer['logs']) if answer['logs']
      raise_failure(answer['error']) if answer['error']

      data = SpecCatalog.new(answer['catalog'], current_environment, text.include?('"__ptype"'))
      catalog = exported ? data.build { |resource| !resource['exported'] } : data.build
      resolve_deferred(node.facts, catalog) if text.include?('"Deferred"')
      catalog
    end

    # As newer versions of rspec-puppet do.
    def resolve_deferred(facts, catalog)
      return unless defined?(::RSpec::Puppet::VERSION) && ::RSpec::Puppet::VERSION.to_i >= 3

      ::Puppet::Pops::Evaluator::DeferredResolver.resolve_and_replace(facts, catalog)
    end

    def log(records)
      records.each do |record|
        ::Puppet::Util::Log.create(level: record['level'].to_sym, source: record['source'] || 'Puppet',
                                   message: record['message'], file: record['file'], line: record['line'],
                                   pos: record['pos'])
      end
    end

    # The message has its place already.
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
  config.before(:suite) { Bunraku::SpecAdapter.install }
  config.before { Bunraku::SpecShortcuts::Libraries.keep_or_leave }
  config.after { Bunraku::Garbage.collect }
  config.after(:suite) do
    summary = Bunraku::SpecAdapter.compiled && Bunraku::SpecAdapter.summary
    RSpec.configuration.reporter.message("\n#{summary}") if summary
  end
end
