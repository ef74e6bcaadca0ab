
# Graphs of resources.
module Bunraku
  module SpecShortcuts
    # Files and programs depend on the users and groups that they name, so that Puppet loads both types
    # and all of their providers, also for a catalog without users and groups, where nothing comes of it.
    # Here they are not loaded for it.
    module AutoRelations
      LATE = %i[user group].freeze

      class << self
        # Relations within the catalog are looked for while the block runs.
        def within(catalog)
          names = catalog.resource_keys.map(&:first)
          @unused = LATE.reject { |type| loaded?(type) || names.include?(type.to_s.capitalize) }
          @catalog = catalog unless @unused.empty?
          yield
        ensure
          @catalog = nil
        end

        def within?(catalog)
          @catalog && @catalog.equal?(catalog)
        end

        # Returns whether the type exists, is not loaded, and has no resources.
        def unused?(type)
          @unused.include?(type)
        end

        private

        def loaded?(type)
          ::Puppet::Type.instance_variable_get(:@types).key?(type)
        end
      end

      def autorelation(kind, catalog = nil)
        return super unless AutoRelations.within?(catalog)

        is_after = %i[require subscribe].include?(kind)
        relations = []
        self.class.public_send(:"eachauto#{kind}") do |type, names|
          is_unused = AutoRelations.unused?(type)
          next unless is_unused || ::Puppet::Type.type(type)

          found = instance_eval(&names) || []
          (found.is_a?(Array) ? found : [found]).each do |other|
            other = is_unused ? nil : catalog.resource(type, other) unless other.nil? || other.is_a?(::Puppet::Type)
            relations << ::Puppet::Relationship.new(*(is_after ? [other, self] : [self, other])) if other
          end
        end
        relations
      end
    end

    # Relations of objects that are searched for relations and cycles need only names; Puppet would search
    # the defining manifest.
    module References
      def self.of(text)
        SpecCatalog.reference(*::Puppet::Resource.type_and_title(text, nil), nil)
      end

      def munge(references)
        return super unless TypeObjects.within?

        references = [references] unless references.is_a?(Array)
        super(references.map { |reference| reference.is_a?(String) ? References.of(reference) : reference })
      end
    end

    # Puppet's graph for applying has two resources for each container, which are not needed to see
    # that there is no cycle. If there is one, Puppet reports it.
    module Cycles
      STEPS = %i[add_all_resources_as_vertices build_manual_dependencies build_autorelation_dependencies].freeze

      private

      def cycles_found?
        graph = ::Puppet::Graph::RelationshipGraph
        return super if ::Puppet[:graph] || !STEPS.all? { |name| graph.private_method_defined?(name) || graph.method_defined?(name) }

        TypeObjects.within { in_order?(graph) } ? false : super
      end

      def in_order?(graph)
        catalog = @catalogue.to_ral
        relations = graph.new(::Puppet::Graph::SequentialPrioritizer.new)
        relations.send(STEPS[0], catalog)
        relations.send(STEPS[1])
        AutoRelations.within(catalog) { relations.send(STEPS[2], catalog) }
        Order.new(catalog, relations).whole?
      end

      # The steps of applying: each container has one before and one after its resources.
      class Order
        def initialize(catalog, relations)
          @ends = {}.compare_by_identity
          @steps = {}.compare_by_identity
          @after = Hash.new { |all, step| all[step] = [] }.compare_by_identity
          @before = Hash.new(0).compare_by_identity
          catalog.resources.each { |resource| @ends[resource] = Object.new if container?(resource) }
          @ends.each_key { |container| add_contents(container, catalog) }
          relations.each_edge { |edge| add(@ends.fetch(edge.source, edge.source), edge.target) }
        end

        # Returns whether the steps can be ordered.
        def whole?
          ready = @steps.keys.reject { |step| @before.key?(step) }
          done = 0
          while (step = ready.pop)
            done += 1
            next unless @after.key?(step)

            @after[step].each { |following| ready << following if (@before[following] -= 1).zero? }
          end
          done == @steps.size
        end

        private

        def container?(resource)
          resource.is_a?(::Puppet::Type::Component) || resource.is_a?(::Puppet::Type::Stage)
        end

        def add_contents(container, catalog)
          add(container, @ends[container])
          catalog.adjacent(container, direction: :out).each do |resource|
            add(container, resource)
            add(@ends.fetch(resource, resource), @ends[container])
          end
        end

        def add(step, following)
          @steps[step] = @steps[following] = true
          @after[step] << following
          @before[following] += 1
        end
      end
    end
  end
end
