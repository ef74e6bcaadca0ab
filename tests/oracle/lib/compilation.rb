# Compiles catalogs and looks up data, for a node given in the request.
module Oracle
  module Compilation
    DEFAULT_NODE = 'node.example.com'

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

    # Agents get no resource that stayed virtual or is only exported.
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
      explainer ? { 'text' => explainer.explain, 'tree' => RichData.encode(explainer.to_hash) } : {}
    end

    # Yields a node whose environment, facts and trusted data are those of the request.
    def compiling(request)
      environments, environment = environment_of(request)
      Puppet.override(environments: environments, current_environment: environment) do
        yield node_of(request, environment)
      end
    end

    def node_of(request, environment)
      facts = Puppet::Node::Facts.new(request['node'] || DEFAULT_NODE, facts_of(request))
      node = Puppet::Node.new(facts.name, facts: facts, environment: environment, classes: request['classes'] || {})
      node.merge(request['parameters'] || {})
      node.fact_merge(facts)
      node.trusted_data = request['trusted'] ||
                          Puppet::Context::TrustedInformation.new('local', node.name, {}, {}).to_h
      node.add_server_facts(request['server_facts'] || {})
      node
    end

    # "facts" is a hash, or the name of a YAML or JSON file; saved facts have theirs under "values".
    def facts_of(request)
      facts = request['facts'] || {}
      facts = Puppet::Util::Yaml.safe_load(File.read(facts).sub(/^--- !ruby\S*/, '---')) if facts.is_a?(String)
      facts = facts['values'] if facts['values'].is_a?(Hash) && facts.key?('name')
      RichData.decode(facts)
    end

    # The environments to be found by name, and the one of the request: "environment" is its folder;
    # without one it lives in memory.
    def environment_of(request)
      folder = request['environment']
      return memory_environment(request) unless folder
      folder = File.expand_path(folder)
      directories = Puppet::Environments::Directories.new(File.dirname(folder), base_modulepath)
      environment = directories.get!(File.basename(folder))
      environment = environment.override_with(modulepath: module_path(request)) if request['modulepath']
      environment = environment.override_with(manifest: File.expand_path(request['manifest'])) if request['manifest']
      [directories, environment]
    end

    def memory_environment(request)
      path = request['modulepath'] ? module_path(request) : base_modulepath
      manifest = request['manifest'] && File.expand_path(request['manifest'])
      environment = Puppet::Node::Environment.create(
        :production, path, manifest || Puppet::Node::Environment::NO_MANIFEST
      )
      [Puppet::Environments::Static.new(environment), environment]
    end

    def module_path(request)
      path = request['modulepath']
      path = path.split(File::PATH_SEPARATOR) if path.is_a?(String)
      path.map { |folder| File.expand_path(folder) }
    end

    def base_modulepath
      Puppet[:basemodulepath].split(File::PATH_SEPARATOR)
    end
  end
end
