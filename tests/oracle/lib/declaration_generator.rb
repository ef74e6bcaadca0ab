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

    # The code that declares a class or a defined type, mostly after the class of its module.
    def declaration(definition)
      is_class = definition.type == :hostclass
      main = definition.name.split('::').first
      first = main == definition.name ? '' : "if defined('#{main}') and #{chance(70)} { include #{main} }\n"
      first + body(is_class ? "class { '#{definition.name}':" : "#{definition.name} { #{@arguments.code(title(definition))}:", definition)
    end

    private

    # A title that is often the value of a parameter, too.
    def title(definition)
      named = definition.arguments.keys.select do |name|
        default = definition.arguments[name]
        default.is_a?(Puppet::Pops::Model::VariableExpression) && %w[title name].include?(default.expr.value)
      end
      value = named.empty? ? nil : @arguments.value_of(type_of(definition, pick(named)), any_value: 0)
      value.is_a?(String) && !value.empty? ? value : pick(TITLES)
    end

    def type_of(definition, name)
      definition.argument_types[name] || Puppet::Pops::Types::TypeFactory.any
    end

    def body(beginning, definition)
      lines = definition.arguments.filter_map do |name, default|
        type = type_of(definition, name)
        is_required = default.nil? && !type.instance?(nil)
        next unless is_required ? !chance(2) : chance(30)
        "  #{name} => #{@arguments.code(@arguments.value_of(type, any_value: 2))},\n"
      end
      "#{beginning}\n#{lines.join}}\n"
    end
  end
end
