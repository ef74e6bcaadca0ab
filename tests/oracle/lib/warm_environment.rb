module Oracle
  # Keeps what an environment has parsed from one catalog to the next; only the code changes, as the
  # manifest of a server changes between two requests.
  module WarmEnvironment
    def forget_environments
      @environments = {}
    end

    private

    def in_memory_environment(request)
      @environments ||= {}
      @environments[[request['modulepath'], request['settings']]] ||= super(request) { |environment| environment }
      environment = @environments[[request['modulepath'], request['settings']]]
      replace_code(environment)
      Puppet.override(environments: Puppet::Environments::Static.new(environment)) { yield environment }
    end

    def replace_code(environment)
      types = environment.known_resource_types
      types.instance_variable_get(:@hostclasses).delete('')
      environment.instance_variable_set(:@parsed_code, Puppet[:code])
      types.import_ast(environment.send(:perform_initial_import), '')
    end
  end
end
