require_relative 'argument_generator'

# Random declarations of classes and defined types of modules, with values of the types that their parameters want.
module Oracle
  class DeclarationGenerator
    include RandomChoice

    TITLES = %w[default a.conf www.example.com /etc/a.conf 10 root 8080 user@example.com].freeze

    def initialize(seed)
      @random = Random.new(seed)
      @arguments = ArgumentGenerator.new(seed)
    end

    # The code that declares a class, or a defined type after the class of its module.
    def declaration(definition)
      return body("class { '#{definition.name}':", definition) if definition.type == :hostclass
      main = definition.name.split('::').first
      "if defined('#{main}') and #{chance(70)} { include #{main} }\n#{body("#{definition.name} { '#{pick(TITLES)}':", definition)}"
    end

    private

    def body(beginning, definition)
      lines = definition.arguments.filter_map do |name, default|
        type = definition.argument_types[name] || Puppet::Pops::Types::TypeFactory.any
        is_required = default.nil? && !type.instance?(nil)
        next unless is_required ? !chance(2) : chance(30)
        "  #{name} => #{@arguments.code(@arguments.value_of(type))},\n"
      end
      "#{beginning}\n#{lines.join}}\n"
    end
  end
end
