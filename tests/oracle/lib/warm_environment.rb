module Oracle
  # Keeps the parsed files of an environment from one catalog to the next; only the code changes,
  # like the manifest of a server between two requests.
  module WarmEnvironment
    def forget_environments
      @environments = {}
    end

    private

    def in_memory_environment(request)
      # The loaders of an environment keep functions and types of the code.
      return super if request['code'].to_s.match?(/^\s*(?:function|type)\b/)

      @environments ||= {}
      @environments[[request['modulepath'], request['settings']]] ||= super(request) { |environment| environment }
      environment = @environments[[request['modulepath'], request['settings']]]
      replace_code(environment)
      Puppet.override(environments: Puppet::Environments::Static.new(environment)) { yield environment }
    end

    def replace_code(environment)
      types = environment.known_resource_types
      forget_code(types)
      environment.instance_variable_set(:@parsed_code, Puppet[:code])
      types.import_ast(environment.send(:perform_initial_import), '')
    rescue StandardError
      # After a syntax error the environment has a new, empty collection of types, but its loaders retain their entries.
      forget_environments
      raise
    end

    # Removes definitions of earlier code, which has no file.
    def forget_code(types)
      types.instance_variable_get(:@hostclasses).delete('')
      %i[@hostclasses @definitions @nodes].each { |kind| types.instance_variable_get(kind).delete_if { |_, type| type.file.to_s.empty? } }
      types.instance_variable_get(:@node_list).reject! { |type| type.file.to_s.empty? }
    end
  end
end
