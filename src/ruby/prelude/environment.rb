# Environments, their modules, and nodes.

# frozen_string_literal: true

module Puppet
  # Modules of the environment.
  class Module
    attr_reader :name, :path

    # The error for a module that does not exist.
    class Error < Puppet::Error; end

    def self.find(name, _environment = nil)
      return nil if name.nil?

      path = Bunraku.ask('module.directory', name.to_s.split('/').first)
      path && new(File.basename(path), path)
    end

    def initialize(name, path, *)
      @name = name
      @path = path
    end

    { file: 'files', template: 'templates', plugin: 'lib', script: 'scripts' }.each do |method, directory|
      define_method(method) do |name = nil|
        path = [@path, directory, name].compact.join('/')
        File.exist?(path) ? path : nil
      end
    end

    { files: 'files', templates: 'templates', plugins: 'lib', manifests: 'manifests' }.each do |name, directory|
      define_method(:"#{name}?") { File.exist?("#{@path}/#{directory}") }
    end

    def manifests
      "#{@path}/manifests"
    end

    def plugin_directory
      "#{@path}/lib"
    end

    def metadata_file
      "#{@path}/metadata.json"
    end

    def metadata
      @metadata ||= begin
        require 'json'
        File.exist?(metadata_file) ? JSON.parse(File.read(metadata_file)) : {}
      end
    end

    def has_metadata? # rubocop:disable Naming/PredicateName
      !metadata.empty?
    end

    %w[version author license summary source].each { |name| define_method(name) { metadata[name] } }

    def description
      nil
    end
    alias project_page description

    def forge_name
      metadata['name']&.tr('-', '/')
    end

    def dependencies
      metadata.fetch('dependencies', []).map { |one| one.merge('name' => one['name'].to_s.tr('-', '/')) }
    end

    def dependencies_as_modules
      dependencies.filter_map { |one| Module.find(one['name'].split('/').last) }
    end

    def environment
      Node::Environment.current
    end

    def to_s
      "Module #{@name}(#{@path})"
    end
  end

  # Nodes and environments.
  class Node
    class Environment # rubocop:disable Style/Documentation
      def self.current
        @current ||= new
      end

      def name
        Puppet[:environment].to_s.to_sym
      end

      def to_s
        name.to_s
      end

      def modules
        Bunraku::Modules.directories.map { |path| Module.new(File.basename(path), path) }
      end

      def module(name)
        Module.find(name)
      end

      def modulepath
        Bunraku::Modules.directories.map { |path| File.dirname(path) }.uniq
      end
      alias full_modulepath modulepath

      def modules_by_path
        modules.group_by { |one| File.dirname(one.path) }
      end

      def known_resource_types
        Parser::ResourceTypes.new
      end
    end

    # The facts of a node.
    class Facts
      attr_reader :name, :values

      def initialize(name, values = {})
        @name = name
        @values = values
      end

      def [](name)
        @values[name]
      end

      def to_hash
        @values
      end
      alias to_h to_hash
    end

    # The environments that are known.
    module Environments
      def self.get(_name)
        Environment.current
      end
      singleton_class.alias_method :get!, :get
    end

    attr_reader :name, :environment

    def initialize(name)
      @name = name
      @environment = Environment.current
    end

    def facts
      Facts.new(@name, Bunraku.ask('variable.find', 'facts')&.first || {})
    end

    def parameters
      Bunraku.ask('variable.all')
    end

    def trusted_data
      Bunraku.ask('variable.find', 'trusted')&.first
    end

    def server_facts
      Bunraku.ask('variable.find', 'server_facts')&.first
    end

    def classes
      {}
    end
  end
end
