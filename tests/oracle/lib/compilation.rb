# Compiles catalogs and looks up data for the node in the request.
module Oracle
  module Compilation
    DEFAULT_NODE = 'node.example.com'

    # The classes and defined types with these names that can be loaded.
    def definitions(request, names)
      compiling(request) do |node|
        found = nil
        Puppet::Parser::Compiler.new(node).compile do |catalog|
          types = node.environment.known_resource_types
          found = names.filter_map do |name|
            types.find_hostclass(name) || types.find_definition(name)
          rescue Puppet::Error
            nil
          end
          catalog
        end
        found
      end
    end

    private

    def answer_catalog(request)
      Puppet[:code] = request['code'] if request['code']
      compiling(request) do |node|
        catalog = Puppet::Parser::Compiler.compile(node, nil)
        { 'catalog' => Puppet.override(rich_data: Puppet[:rich_data]) { visible(catalog).to_data_hash } }
      end
    ensure
      Puppet[:code] = ''
    end

    # Agents do not receive resources that stayed virtual or are only exported.
    def visible(catalog)
      catalog.filter(&:virtual?)
    end

    def answer_lookup(request)
      Puppet[:code] = 'undef' unless request['compile']
      compiling(request) do |node|
        answer = nil
        compiler = Puppet::Parser::Compiler.new(node)
        compiler.compile do |catalog|
          answer = look_up(compiler.topscope, request)
          catalog
        end
        answer
      end
    ensure
      Puppet[:code] = ''
    end

    def look_up(scope, request)
      explainer = request['explain'] || request['explain_options'] ? explainer_of(request) : nil
      invocation = Puppet::Pops::Lookup::Invocation.new(scope, {}, {}, explainer)
      type = request['type'] && Puppet::Pops::Types::TypeParser.singleton.parse(request['type'], scope)
      default = RichData.decode(request['default'])
      value = Puppet::Pops::Lookup.lookup(request['keys'] || Puppet::Pops::Lookup::GLOBAL, type, default,
                                          !default.nil?, request['merge'], invocation)
      { 'value' => RichData.encode(value) }.merge(explanation(explainer))
    rescue Puppet::DataBinding::LookupError => e
      raise unless explainer
      invocation.report_text { e.message }
      explanation(explainer)
    end

    def explainer_of(request)
      options_only = !request['explain']
      Puppet::Pops::Lookup::Explainer.new(request['explain_options'] || false, options_only)
    end

    def explanation(explainer)
      explainer ? { 'text' => explainer.explain, 'tree' => JSON.parse(JSON.generate(explainer.to_hash)) } : {}
    end

    # Yields a node with the environment, facts and trusted data of the request.
    def compiling(request)
      in_environment(request) do |environment|
        Puppet.override(current_environment: environment) { yield node_of(request, environment) }
      end
    end

    def node_of(request, environment)
      facts = Puppet::Node::Facts.new(request['node'] || DEFAULT_NODE, facts_of(request))
      classified = data_of(request, 'enc') || {}
      node = Puppet::Node.new(facts.name, facts: facts, environment: environment,
                                          classes: classified['classes'] || {})
      node.merge(classified['parameters'] || {})
      node.fact_merge(facts)
      node.trusted_data = data_of(request, 'trusted') ||
                          Puppet::Context::TrustedInformation.new('local', node.parameters['clientcert'] || node.name, {}, {}).to_h
      node.add_server_facts(data_of(request, 'server_facts') || {})
      node
    end

    # Saved facts contain the values under "values".
    def facts_of(request)
      facts = data_of(request, 'facts') || {}
      facts['values'].is_a?(Hash) && facts.key?('name') ? facts['values'] : facts
    end

    # Data is a hash, or the name of a YAML or JSON file that contains one.
    def data_of(request, name)
      data = request[name]
      data = Puppet::Util::Yaml.safe_load(File.read(data).sub(/^--- !ruby\S*/, '---')) if data.is_a?(String)
      RichData.decode(data)
    end

    # "environment" is the directory of the environment; without it the environment is in memory.
    def in_environment(request, &block)
      return in_memory_environment(request, &block) unless request['environment']
      path, name = File.split(File.expand_path(request['environment']))
      Puppet[:environmentpath] = path
      directories = Puppet::Environments::Directories.new(path, base_modulepath)
      Puppet.override(environments: directories) do
        yield with_overrides(directories.get!(name), request)
      end
    end

    def with_overrides(environment, request)
      overrides = {}
      overrides[:modulepath] = module_path(request) if request['modulepath']
      overrides[:manifest] = File.expand_path(request['manifest']) if request['manifest']
      overrides.empty? ? environment : environment.override_with(overrides)
    end

    def in_memory_environment(request)
      path = request['modulepath'] ? module_path(request) : base_modulepath
      manifest = request['manifest'] ? File.expand_path(request['manifest']) : Puppet::Node::Environment::NO_MANIFEST
      environment = Puppet::Node::Environment.create(:production, path, manifest)
      Puppet.override(environments: Puppet::Environments::Static.new(environment)) { yield environment }
    end

    def module_path(request)
      path = request['modulepath']
      path = path.split(File::PATH_SEPARATOR) if path.is_a?(String)
      path.map { |directory| File.expand_path(directory) }
    end

    def base_modulepath
      Puppet[:basemodulepath].split(File::PATH_SEPARATOR)
    end
  end
end
