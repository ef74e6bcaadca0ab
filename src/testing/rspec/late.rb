
# What few suites need is loaded when something looks for it.
module Bunraku
  # Files that are loaded when something looks for one of their constants.
  class LateFiles
    # The part of the library Concurrent that Puppet uses.
    OF_CONCURRENT = %w[concurrent/hash concurrent/atomic/thread_local_var].freeze

    # Puppet's types have other names of their own.
    NAME = ::Module.instance_method(:name)

    @all = []
    class << self
      def install
        @all << new(%r{/(lib|vendor_ruby)/hocon(/config_[a-z_]+)?\.rb\z}, /\AHocon(::|\z)/, %r{/(lib|vendor_ruby)/hocon/})
        @all << new(%r{/(lib/ruby/[\d.]+|lib)/resolv\.rb\z}, /\AResolv(::|\z)/)
        @all << new(%r{/concurrent-ruby[^/]*/concurrent\.rb\z}, /\AConcurrent::/) do
          OF_CONCURRENT.each { |name| require name }
          ::Concurrent.singleton_class.prepend(Methods)
        end
        @all << new(%r{/puppet/pal/pal_api\.rb\z}, /\APuppet::Pal(::|\z)/)
        @all << LateLanguage.new
        ::Module.prepend(Constants)
        ::Object.prepend(Directories)
      end

      # Returns whether a file that Ruby is about to load is loaded later.
      def leave?(file)
        LateStore.install if file.end_with?('/openssl/ssl.rb')
        @all.any? { |files| files.leave?(file) }
      end

      # Returns whether files were loaded for the name of a constant or method, which may exist now.
      def load_for(name)
        Directories.load_for(name) || @all.any? { |files| files.load_for(name) }
      end

      # Returns the module that has the constant now, or nil. Ruby looks for a constant in the module
      # of the code and in those around it, but reports only the first.
      def holder_of(name, first)
        around(first).find { |holder| load_for(full_name(holder, name)) && holder.const_defined?(name) }
      end

      private

      def full_name(holder, name)
        holder.equal?(::Object) ? name.to_s : "#{NAME.bind_call(holder)}::#{name}"
      end

      # The module, those around it, and Object.
      def around(first)
        names = NAME.bind_call(first).to_s.split('::')
        outer = (1...names.size).map { |depth| ::Object.const_get(names.first(depth).join('::')) }
        [first, *outer.reverse, ::Object].uniq
      rescue ::NameError # of a module that is no constant any more
        [first, ::Object].uniq
      end
    end

    # Files with one of the paths `others` need those that were left. The block runs when the first file is left.
    def initialize(paths, constants, others = nil, &first)
      @paths = paths
      @constants = constants
      @others = others
      @first = first
      @left = []
    end

    def leave?(file)
      return false if @loads

      unless @paths.match?(file)
        load_all if @others&.match?(file)
        return false
      end
      first = @first
      @first = nil
      first&.call
      @left << file
      true
    end

    # Returns whether anything was loaded. Files may look for constants of the following ones.
    def load_for(name)
      return false if @left.empty? || !@constants.match?(name)

      load_all
      true
    end

    private

    def load_all
      @loads = true
      while (file = @left.shift)
        load(file)
      end
    end

    # Prepended to all modules.
    module Constants
      def const_missing(name)
        holder = LateFiles.holder_of(name, self)
        return holder.const_get(name) if holder

        begin
          super
        rescue ::NameError => e
          raise e.extend(OfCaller)
        end
      end
    end

    # Extends an error of this file: Ruby shows the line that the first location names.
    module OfCaller
      def backtrace_locations
        super&.drop_while { |location| location.path == __FILE__ }
      end
    end

    # Prepended to the methods of the module Concurrent itself.
    module Methods
      def method_missing(name, ...)
        LateFiles.load_for("Concurrent::#{name}") ? public_send(name, ...) : super
      end

      def respond_to_missing?(name, *)
        LateFiles.load_for("Concurrent::#{name}") ? respond_to?(name) : super
      end
    end

    # Prepended to all objects: Facter loads its directories with a private method of Object. Those
    # of facts of this host are loaded later.
    module Directories
      FACTS = /\A(Facts|Facter::Resolvers)(::|\z)/.freeze

      @left = []
      class << self
        # Returns false, or true for a directory that is loaded later, by the block.
        def leave?(words, &block)
          @left && words.size > 1 && %w[facts resolvers].include?(words.first) ? @left << block : false
        end

        def load_for(name)
          @left && FACTS.match?(name) ? load_all : false
        end

        def load_all
          left = @left
          @left = nil
          left&.each(&:call)
        end
      end

      private

      def load_dir(*words)
        Directories.leave?(words.flatten) { super } || super
      end
    end
  end

  # Puppet's parser and evaluator: catalogs come from another process.
  class LateLanguage < LateFiles
    PATHS = %r{/puppet/pops/((model|migration)/[a-z_]+|parser/(code_merger|eparser|epp_parser|evaluating_parser|parser_support)|
               evaluator/(epp_evaluator|evaluator_impl|literal_evaluator)|validation/(checker4_0|validator_factory_4_0))\.rb\z}x.freeze
    CONSTANTS = /\APuppet::Pops::(Model|Parser|Evaluator|Validation|Migration)::/.freeze

    @is_loaded = true
    class << self
      attr_writer :is_loaded

      # Calls the block when the files have been loaded.
      def when_loaded(&block)
        @is_loaded ? block.call : @block = block
      end

      def loaded
        @is_loaded = true
        @block&.call
      end
    end

    def initialize
      super(PATHS, CONSTANTS) do
        LateLanguage.is_loaded = false
        Unregistered.install
      end
    end

    private

    def load_all
      super
      ::Puppet::Pops::Model.register_pcore_types if Unregistered.wanted
      LateLanguage.loaded
    end

    # The place of the method with which Puppet registers types that are not there yet.
    module Unregistered
      class << self
        attr_accessor :wanted

        def install
          ::Puppet::Pops::Model.define_singleton_method(:register_pcore_types) { Unregistered.wanted = true }
        end
      end
    end
  end

  # Ruby's default store of certificates, which reads those of the host when it is made: it reads them
  # when something uses it.
  module LateStore
    class << self
      attr_accessor :store

      # Returns false: the file that is about to make the store is loaded now.
      def install
        stores = ::OpenSSL::X509::Store
        (stores.instance_methods(false) - %i[flags= set_default_paths]).each do |name|
          Uses.define_method(name) do |*arguments, &block|
            LateStore.settle
            super(*arguments, &block)
          end
        end
        stores.prepend(Paths)
        false
      end

      def settle
        store = @store
        @store = nil
        store&.set_default_paths
      end
    end

    # Prepended to stores.
    module Paths
      def set_default_paths
        return super if LateStore.store || singleton_class.include?(Uses)

        LateStore.store = self
        extend(Uses)
        ::OpenSSL::SSL::SSLContext.prepend(Contexts)
      end
    end

    # The default store's methods, which need what it reads.
    module Uses
    end

    # Prepended to contexts of connections, which can have the store.
    module Contexts
      def cert_store=(store)
        LateStore.settle if store.equal?(LateStore.store)
        super
      end
    end
  end

  module SpecShortcuts
    # Puppet searches all directories once for the names of a type's providers, and again for each of
    # their files.
    module Searches
      def gem_directories
        GemFiles.directories { super }
      end

      def loadall(path, environment)
        outer = @searched
        @searched = [environment, files_below(path, environment)]
        super
      ensure
        @searched = outer
      end

      def files_to_load(path, environment)
        files_below(path, environment).keys
      end

      def get_file(name, environment)
        searched, files = @searched
        file = files[name.end_with?('.rb') ? name : "#{name}.rb"] if files && searched.equal?(environment)
        file || super
      end

      private

      # The first file of each name.
      def files_below(path, environment)
        search_directories(environment).each_with_object({}) do |directory, files|
          Dir.glob('*.rb', base: File.join(directory, path)).each do |name|
            files[File.join(path, name)] ||= File.join(directory, path, name)
          end
        end
      end
    end

    # Puppet adds the files that it loads to Ruby's list itself, which makes Ruby check each file of
    # the list again. Requiring a file for the first time has the same effect as loading it, and
    # Ruby updates its own state.
    module Autoloads
      def mark_loaded(name, file)
        file = File.expand_path(file)
        return super if $LOADED_FEATURES.include?(file)

        loaded[cleanpath(name).chomp('.rb')] = [file, File.mtime(file)]
        Loads.first = file
      end

      # The part in Kernel.
      module Loads
        class << self
          attr_accessor :first
        end

        def load(file, *rest)
          first = Loads.first
          Loads.first = nil
          return super unless first && rest.empty? && File.expand_path(file) == first

          begin
            require(first)
          rescue Exception # as when it is marked before it is loaded; rubocop:disable Lint/RescueException
            $LOADED_FEATURES << first
            raise
          end
        end
      end
    end
  end

  SpecSequences.install
  GemFiles.install
end

# Puppet adds to this class, which it uses while it is loaded.
module Puppet
  module Util
    class Autoload
      singleton_class.prepend(::Bunraku::SpecShortcuts::Autoloads, ::Bunraku::SpecShortcuts::Searches)
    end
  end
end
Kernel.singleton_class.prepend(Bunraku::SpecShortcuts::Autoloads::Loads)

require 'puppet'
