
# Loading of Ruby files: types, providers and features, which Puppet finds by name.
module Bunraku
  module SpecShortcuts
    # Keeps the trees of manifests that Puppet's compiler has parsed for later examples.
    module Manifests
      MOST_KEPT = 2_000

      @kept = {}
      class << self
        def of(key, state)
          known, tree = @kept[key]
          return tree if known && known == state

          @kept.clear if @kept.size > MOST_KEPT
          yield.tap { |made| @kept[key] = [state, made] }
        end
      end

      def parse_string(string, path = nil)
        Manifests.of([path, self.class, ::Puppet[:tasks]], string.dup) { super }
      end

      def parse_file(file)
        stat = File.stat(file)
        state = [stat.dev, stat.ino, stat.size, stat.mtime.to_i, stat.mtime.nsec]
        Manifests.of([file, ::Puppet[:tasks]], state) { super }
      rescue SystemCallError
        super
      end
    end

    # Validates a tree without diagnostics only once with the same settings.
    module Validations
      @sound = ObjectSpace::WeakMap.new
      class << self
        attr_reader :sound
      end

      def validate(tree)
        state = :"#{::Puppet[:strict]} #{::Puppet[:tasks]}"
        return acceptor if tree && Validations.sound[tree] == state

        super.tap { |result| Validations.sound[tree] = state if tree && result.diagnostics.empty? }
      end
    end

    # Chooses a type's default provider once for the same facts, unless it warns.
    module Providers
      class << self
        attr_accessor :has_warned

        # The state that a choice depends on; nil when it is not known.
        def state
          facts = LateFacts.source
          [facts.object_id, ::Puppet::Util::Platform.pretend_platform] if facts && SpecObstacles.features_are_real?
        end
      end

      # The part in Puppet.
      module Warnings
        def warning(*)
          Providers.has_warned = true
          super
        end
      end

      def defaultprovider
        state = @defaultprovider ? nil : Providers.state
        return super unless state

        known = (@bunraku_providers ||= {})
        return @defaultprovider = known[state] if known.key?(state)

        Providers.has_warned = false
        super.tap { |provider| known[state] = provider if provider && !Providers.has_warned }
      end
    end

    # Resource objects of classes and defined types need only a name; Puppet would search the
    # defining manifest.
    module Components
      def title=(text)
        @reference = SpecCatalog.reference(*::Puppet::Resource.type_and_title(text, nil), nil)
      rescue ArgumentError
        super
      end
    end

    # Names of facts are never tests; Puppet would search a file each time.
    module Confines
      def test(name)
        return super if @tests.include?(name)

        @missing ||= {}
        return if @missing[name] == $LOAD_PATH

        Suggestions.without { super }.tap { |found| @missing[name] = $LOAD_PATH.dup unless found }
      end
    end

    # Avoids Ruby's suggestions for a file that cannot be loaded, which check all loadable files.
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

Puppet::Confine.singleton_class.prepend(Bunraku::SpecShortcuts::Confines) if defined?(Puppet::Confine)
Bunraku::LateLanguage.when_loaded do
  Puppet::Pops::Parser::Parser.prepend(Bunraku::SpecShortcuts::Manifests)
  Puppet::Pops::Parser::EvaluatingParser.prepend(Bunraku::SpecShortcuts::Validations)
end
