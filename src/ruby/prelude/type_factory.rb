# Functions that make and take apart types; loaded when code uses one.

# frozen_string_literal: true

module Puppet
  module Pops
    module Types
      # Makes types.
      module TypeFactory
        class << self
          %w[any integer float numeric boolean scalar scalar_data undef data rich_data default collection binary
             timespan timestamp sem_ver_range iterator init object catalog_entry].each do |name|
            kind = { 'sem_ver_range' => 'SemVerRange' }[name] || name.split('_').map(&:capitalize).join
            define_method(name) { |*| parse(kind) }
          end

          { optional: 'Optional', not_undef: 'NotUndef', type_type: 'Type', sensitive: 'Sensitive',
            iterable: 'Iterable' }.each do |name, kind|
            define_method(name) { |type = nil| type.nil? ? parse(kind) : parse("#{kind}[#{type.is_a?(::String) ? quoted(type) : shown(type)}]") }
          end

          def string(size_or_value = nil, *)
            case size_or_value
            when nil then parse('String')
            when ::String then infer(size_or_value)
            else parse("String[#{bounds(size_or_value)}]")
            end
          end

          def variant(*types)
            types = types.flatten
            types.size == 1 ? types[0] : parse("Variant[#{types.map { |type| shown(type) }.join(', ')}]")
          end

          def enum(*values)
            flag = [true, false].include?(values.last) ? ", #{values.pop}" : ''
            parse("Enum[#{values.flatten.map { |value| quoted(value) }.join(', ')}#{flag}]")
          end

          def range(from, to)
            from = 'default' if from.nil? || from == :default
            to = 'default' if to.nil? || to == :default
            parse("Integer[#{from}, #{to}]")
          end

          def float_range(from, to)
            from = from.nil? || from == :default ? 'default' : from.to_f
            to = to.nil? || to == :default ? 'default' : to.to_f
            parse("Float[#{from}, #{to}]")
          end

          def regexp(pattern = nil)
            return parse('Regexp') if pattern.nil?

            source = pattern.is_a?(::Regexp) ? pattern.source : pattern.to_s
            parse("Regexp[#{literal(source)}]")
          end

          def pattern(*patterns)
            shown = patterns.flatten.map do |one|
              case one
              when ::Regexp then literal(one.source)
              when ::String then literal(one)
              when PPatternType then one.patterns.map { |inner| literal(inner.pattern) }
              else shown(one)
              end
            end
            parse("Pattern[#{shown.flatten.join(', ')}]")
          end

          def tuple(types, size = nil)
            parse("Tuple[#{[*types.map { |type| shown(type) }, *(size && bounds(size))].join(', ')}]")
          end

          def struct(members)
            fields = members.map do |key, type|
              "#{key.is_a?(PAnyType) ? key : quoted(key)} => #{shown(type)}"
            end
            parse("Struct[{#{fields.join(', ')}}]")
          end

          def array_of(type, size = nil)
            parse("Array[#{[shown(type), *(size && bounds(size))].join(', ')}]")
          end

          def hash_of(value, key = scalar, size = nil)
            parse("Hash[#{[shown(key), shown(value), *(size && bounds(size))].join(', ')}]")
          end

          def array_of_any
            parse('Array')
          end

          def hash_of_any
            parse('Hash')
          end

          def array_of_data
            parse('Array[Data]')
          end

          def hash_of_data
            parse('Hash[String, Data]')
          end

          def hash_kv(key, value, size = nil)
            hash_of(value, key, size)
          end

          def all_callables
            parse('Callable')
          end

          # Arguments: types, the smallest and largest count of arguments, and the block's type.
          def callable(*params)
            return parse('Callable[0, 0]') if params.empty?

            parse("Callable[#{params.map { |one| one == :default ? 'default' : shown(one) }.join(', ')}]")
          end

          def resource(type_name = nil, title = nil)
            return parse('Resource') if type_name.nil?

            type_name = type_name.type_name if type_name.is_a?(PResourceType)
            kind = Util.capitalize_segments(type_name.to_s)
            parse(title.nil? ? kind : "#{kind}[#{quoted(title)}]")
          end

          def host_class(class_name = nil)
            parse(class_name.nil? ? 'Class' : "Class[#{quoted(class_name.delete_prefix('::'))}]")
          end

          def sem_ver(*ranges)
            parse(ranges.empty? ? 'SemVer' : "SemVer[#{ranges.map { |one| quoted(one) }.join(', ')}]")
          end

          def runtime(language = nil, name = nil)
            parts = [language, name].compact.map { |one| quoted(one) }
            parse(parts.empty? ? 'Runtime' : "Runtime[#{parts.join(', ')}]")
          end

          def type_reference(text = nil)
            parse(text.nil? ? 'TypeReference' : "TypeReference[#{quoted(text)}]")
          end

          def type_of(value)
            value.is_a?(::Class) ? parse(value.name) : infer(value).generalize
          end

          def label(type)
            type.to_s
          end

          private

          def parse(text)
            TypeParser.singleton.parse(text)
          end

          def infer(value)
            Bunraku.ask('type.infer', value)
          end

          # The text of a type. A class that is not a type becomes the type of its instances.
          def shown(type)
            case type
            when ::Class then type <= PAnyType ? type.simple_name : class_text(type)
            when ::String then "Runtime[ruby, #{quoted(type)}]"
            else type.to_s
            end
          end

          def class_text(type)
            known = { ::Integer => 'Integer', ::Float => 'Float', ::Numeric => 'Numeric', ::String => 'String',
                      ::Regexp => 'Regexp', ::NilClass => 'Undef', ::TrueClass => 'Boolean', ::FalseClass => 'Boolean',
                      ::Hash => 'Hash', ::Array => 'Array', ::Class => 'Runtime[ruby]' }
            known.fetch(type) { "Runtime[ruby, #{quoted(type.name)}]" }
          end

          def quoted(text)
            "'#{text.to_s.gsub(/[\\']/) { |one| "\\#{one}" }}'"
          end

          def literal(source)
            "/#{source.gsub(%r{(?<!\\)/}, '\\/')}/"
          end

          def bounds(size)
            case size
            when PIntegerType then [size.from || 'default', size.to || 'default'].join(', ')
            when ::Range then [size.begin, size.end].join(', ')
            when ::Array then size.join(', ')
            else size.to_s
            end
          end
        end
      end

      # Texts of types.
      class TypeFormatter
        def self.singleton
          @singleton ||= new
        end

        def self.string(type)
          singleton.string(type)
        end

        def string(type)
          type.to_s
        end
        alias alias_expanded_string string

        def capitalize_segments(name)
          Util.capitalize_segments(name.to_s)
        end
      end

      # A member of a Struct type.
      PStructElement = ::Struct.new(:name, :key_type, :value_type)
    end
  end
end
