# Hiera 3, which functions of old modules use directly. The library is the gem of that name, where
# it is installed; the reference's additions to it are here.

# frozen_string_literal: true

class Hiera # rubocop:disable Style/Documentation
  # The files of the gem; the scope is defined by the reference instead.
  LIBRARY = %r{\Ahiera(/(?!scope\z)|\z)}.freeze

  # A scope in the form that data backends read.
  class Scope
    CALLING_KEYS = %w[calling_class calling_class_path calling_module].freeze

    attr_reader :real

    def initialize(real)
      @real = real
    end

    def [](name)
      found = case name
              when 'calling_class' then class_of(@real)
              when 'calling_class_path' then class_of(@real).gsub('::', '/')
              when 'calling_module' then @real.lookupvar('module_name')
              else @real.lookupvar(name)
              end
      found == '' ? nil : found
    end

    def exist?(name)
      CALLING_KEYS.include?(name) || @real.exist?(name)
    end

    def include?(name)
      CALLING_KEYS.include?(name) || @real.include?(name)
    end

    %i[catalog resource compiler].each { |name| define_method(name) { @real.public_send(name) } }

    def call_function(*arguments, &block)
      @real.call_function(*arguments, &block)
    end

    private

    # The innermost class around the scope.
    def class_of(scope)
      return scope.source.name.downcase if scope.source&.type == :hostclass

      scope.parent && class_of(scope.parent)
    end
  end

  class << self
    def new(...)
      load_library
      super
    end

    def const_missing(name)
      return super if @is_loaded

      load_library
      const_get(name)
    end

    def load_library
      return if @is_loaded

      @is_loaded = true
      Bunraku::Modules.installed_library = LIBRARY
      require 'hiera'
    rescue LoadError => error
      @is_loaded = false
      Bunraku::Modules.installed_library = nil
      raise Puppet::Error, "Hiera 3 is a library of its own (the gem hiera), which is not installed: #{error.message}"
    end
    private :load_library
  end
end

# Look-ups in the data of Hiera 3.
module HieraPuppet
  module_function

  def lookup(key, default, scope, override, resolution_type)
    found = hiera.lookup(key, default, Hiera::Scope.new(scope), override, resolution_type)
    return found unless found.nil?

    raise Puppet::ParseError, "Could not find data item #{key} in any Hiera data file and no default supplied"
  end

  # Functions pass their arguments as one array, templates pass them one by one.
  def parse_args(arguments)
    arguments = arguments[0] if arguments[0].is_a?(Array)
    raise Puppet::ParseError, 'Please supply a parameter to perform a Hiera lookup' if arguments.empty?

    [arguments[0], arguments[1], arguments[2]]
  end

  def hiera
    file = Puppet[:hiera_config]
    if File.exist?(file.to_s)
      settings = Hiera::Config.load(file)
    else
      Puppet.warning("Config file #{file} not found, using Hiera defaults")
    end
    Hiera.new(config: (settings || {}).merge(logger: 'puppet'))
  end
end
