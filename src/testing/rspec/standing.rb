
# State of Puppet between examples.
module Bunraku
  module SpecShortcuts
    # Puppet's helper takes down everything that it and rspec-puppet's adapter have set up for an
    # example, and both set up the same for the next one. Here it stays, in the state that it had at
    # the start of the example, if the example has changed nothing else and the next one needs the
    # same.
    module Standing
      MARK = :bunraku_standing
      # Files whose hooks around groups change nothing that examples need.
      KNOWN_HOOKS = %r{/rspec-puppet(/[a-z_]+)?\.rb\z|/bunraku_rspec\.rb\z}.freeze
      SETS = %i[application_defaults cli memory overridden_defaults].freeze
      # Settings whose hooks only check the value.
      PLAIN = %i[strict].freeze

      class << self
        # Called before the examples of a group and of all groups in it. Other hooks that run between
        # examples may do anything.
        def begin_group(group)
          @allowed = [group, *group.descendants].all? { |one| %i[before after].all? { |position| known_hooks?(one, position) } }
          ::Puppet::Test::TestHelper.end_standing if @stays && !@allowed
        end

        # Called before everything is set up for an example.
        def before_beginning
          @is_fresh = %i[cli memory].all? { |name| values_of(name).empty? }
        end

        # Called after that.
        def begin(group, adapter)
          @begun = nil
          return unless @allowed && @is_fresh && fits?(group) && no_configuration_file?

          @wanted = wanted(group, adapter)
          @settings = settings
          @services = services.dup
          @indirections = indirections
          @environment = ::Puppet.lookup(:current_environment)
          ::Puppet.mark_context(MARK)
          @begun = true
        end

        # Called after an example. Returns whether everything stays; after a compilation by Puppet it
        # never does.
        def leave
          return false unless @begun && !@is_foreign && same? && SpecObstacles.stub.nil?

          restore
          @stays = true
        end

        # Called before an example. Returns whether everything is set up already.
        def enter(adapter)
          group = ::RSpec.current_example&.example_group_instance
          return false unless @stays && fits?(group) && values_of(:memory) == @settings[:memory] && same? && wanted(group, adapter) == @wanted

          @stays = false
          @entered = true
        rescue StandardError
          false # the adapter reports it
        end

        # Returns, once for each example, whether the adapter has nothing to set up.
        def entered?
          @entered.tap { @entered = false }
        end

        # Called when Puppet compiles a catalog.
        def foreign
          @is_foreign = true
        end

        # Called before everything is taken down.
        def end
          ::Puppet.rollback_context(MARK) if @begun
          @begun = @is_foreign = @entered = false
          @stays = false
        end

        def stays?
          @stays
        end

        private

        def known_hooks?(group, position)
          group.hooks.send(:all_hooks_for, position, :context).all? do |hook|
            KNOWN_HOOKS.match?(hook.block.source_location&.first.to_s)
          end
        end

        def fits?(group)
          [::RSpec::Puppet::ClassExampleGroup, ::RSpec::Puppet::DefineExampleGroup, ::RSpec::Puppet::HostExampleGroup].any? do |kind|
            group.is_a?(kind)
          end
        end

        # Everything that the adapter's set-up depends on.
        def wanted(group, adapter)
          configuration = ::RSpec.configuration
          [adapter.settings_map.map { |_, name| adapter.get_setting(group, name) }, configuration.module_path,
           configuration.manifest, group.environment, Dir.pwd]
        end

        def sets
          ::Puppet.settings.instance_variable_get(:@value_sets)
        end

        def values_of(name)
          sets[name].instance_variable_get(:@values)
        end

        def settings
          SETS.to_h { |name| [name, values_of(name).dup] }
        end

        def services
          ::Puppet.runtime.instance_variable_get(:@runtime_services)
        end

        def indirections
          known_indirections.map do |indirection|
            [indirection, indirection.instance_variable_get(:@terminus_class).value,
             indirection.instance_variable_get(:@cache_class).value, indirection.instance_variable_get(:@termini).keys]
          end
        end

        def known_indirections
          ::Puppet::Indirector::Indirection.class_variable_get(:@@indirections)
        end

        # Returns whether nothing has changed except settings without other effects.
        def same?
          plain?(values_of(:memory)) && SETS.all? { |name| name == :memory || values_of(name) == @settings[name] } &&
            services == @services && same_indirections? && $LOAD_PATH == $old_load_path && !functions? &&
            no_configuration_file?
        end

        def same_indirections?
          @indirections.size == known_indirections.size && @indirections.all? do |indirection, terminus, cache, termini|
            now = indirection.instance_variable_get(:@termini)
            indirection.instance_variable_get(:@terminus_class).value == terminus &&
              indirection.instance_variable_get(:@cache_class).value == cache &&
              now.size == termini.size && termini.all? { |name| now.key?(name) }
          end
        end

        def no_configuration_file?
          ::Puppet.settings.instance_variable_get(:@configuration_file).nil?
        end

        def plain?(values)
          before = @settings[:memory]
          return true if values == before

          (values.keys | before.keys).all? do |name|
            values[name] == before[name] || PLAIN.include?(name) || !::Puppet.settings.setting(name).has_hook?
          end
        end

        def functions?
          adapter = ::Puppet::Parser::Functions::AnonymousModuleAdapter.get(@environment)
          adapter && !adapter.module.all_function_info.empty?
        end

        def restore
          @settings.each { |name, values| values_of(name).replace(values) }
          ::Puppet.settings.send(:clearused)
          ::Puppet.settings.instance_variable_get(:@deprecated_settings_that_have_been_configured).clear
          ::Puppet.rollback_context(MARK)
          ::Puppet.mark_context(MARK)
          ::ENV.replace($old_env) unless ::ENV.to_hash == $old_env
          ::Puppet::Util::Storage.clear
          ::Puppet::Util::ExecutionStub.reset
          ::Puppet::Application.clear!
          ::Puppet::Util::Profiler.clear
          ::Puppet.clear_deprecation_warnings
        end
      end
    end
  end
end
