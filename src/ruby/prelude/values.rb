# Values of the language without a Ruby class, under the names that module code uses.
# ruby/worker/marshal.h describes how they are sent.

# frozen_string_literal: true

module Puppet
  module Pops
    module Types
      # A type of the language: its text; the compiler answers questions about it.
      class PAnyType
        attr_reader :text
        # Set for resource types and classes.
        attr_reader :type_name, :title

        def self._load(content)
          kind, name, size, rest = content.split("\0", 4)
          title = rest.byteslice(0, size.to_i) unless size.empty?
          text = rest.byteslice(size.to_i..)
          Types.type_class(kind).allocate.tap { |type| type.send(:become, text, name.empty? ? nil : name, title) }
        end

        # A type without parameters, such as PIntegerType::DEFAULT or PIntegerType.new.
        def self.const_missing(name)
          return super unless name == :DEFAULT

          const_set(:DEFAULT, new)
        end

        def initialize(text = nil, *_)
          become(text.is_a?(String) ? text : self.class.simple_name, nil, nil)
        end

        def self.simple_name
          name[/P(\w+)Type\z/, 1]
        end

        def _dump(_level)
          title = @title&.to_s
          [self.class.simple_name, @type_name, title&.bytesize, "#{title}#{@text}"].join("\0")
        end

        def to_s
          @text
        end
        alias inspect to_s
        alias to_alias_expanded_s to_s

        def name
          self.class.simple_name
        end

        def simple_name
          self.class.simple_name
        end

        def instance?(value, _guard = nil)
          Bunraku.ask('type.is_instance', self, value)
        end

        def assignable?(other, _guard = nil)
          Bunraku.ask('type.is_assignable', self, other)
        end

        def generalize
          Bunraku.ask('type.generalize', self)
        end

        # A new instance.
        def create(*arguments)
          Bunraku.ask('function.call', 'new', self, *arguments)
        end

        def resolved_type
          self
        end

        # The parts of the type by name.
        def parts
          @parts ||= Bunraku.ask('type.parts', self)
        end
        private :parts

        def ==(other)
          other.is_a?(PAnyType) && other.text == @text
        end
        alias eql? ==

        def hash
          @text.hash
        end

        private

        def become(text, name, title)
          @text = text.dup.force_encoding('UTF-8').freeze
          @type_name = name
          @title = title
        end
      end

      def self.type_class(kind)
        name = "P#{kind == 'URI' ? 'URI' : kind}Type"
        const_defined?(name, false) ? const_get(name, false) : const_set(name, Class.new(PAnyType))
      end

      # The parts of each kind of type.
      {
        Integer: %i[from to], Float: %i[from to], String: %i[size_type], Enum: %i[values], Regexp: %i[pattern],
        Collection: %i[size_type], Array: %i[element_type size_type], Hash: %i[key_type value_type size_type],
        Tuple: %i[types size_type], Variant: %i[types], Optional: %i[type], NotUndef: %i[type], Type: %i[type],
        Sensitive: %i[type], Iterable: %i[element_type], Iterator: %i[element_type], TypeAlias: %i[resolved_type],
        Callable: %i[param_types block_type return_type], TypeReference: %i[type_string], Pattern: [], Struct: []
      }.each do |kind, names|
        type_class(kind).class_eval do
          names.each { |name| define_method(name) { parts[name.to_s] } }
        end
      end

      class PPatternType
        def patterns
          parts['patterns'].map { |source| TypeFactory.regexp(source) }
        end
      end

      class PRegexpType
        def regexp
          ::Regexp.new(pattern || '')
        end
      end

      class PStructType
        def elements
          (parts['elements'] || []).map { |element| PStructElement.new(*element) }
        end

        def hashed_elements
          elements.to_h { |element| [element.name, element] }
        end
      end

      class PIntegerType
        # The range of two bounds.
        def self.new(from = nil, to = nil)
          from.nil? && to.nil? ? super() : TypeFactory.range(from, to)
        end
      end

      class PArrayType
        def self.new(element = nil, size = nil)
          element.nil? ? super() : TypeFactory.array_of(element, size)
        end
      end

      class PHashType
        def self.new(key = nil, value = nil, size = nil)
          key.nil? ? super() : TypeFactory.hash_of(value, key, size)
        end
      end

      class POptionalType
        def self.new(type = nil)
          type.nil? ? super() : TypeFactory.optional(type)
        end
      end

      class PStringType
        def self.const_missing(name)
          name == :NON_EMPTY ? const_set(name, TypeParser.singleton.parse('String[1]')) : super
        end
      end

      class PTypeAliasType
        BUILT_IN = %w[Data RichData RichDataKey Puppet::LookupKey Puppet::LookupValue].freeze

        def to_s
          BUILT_IN.include?(@text) ? @text : "#{@text} = #{resolved_type}"
        end

        def name
          @text
        end

        # The aliased type answers all methods, except those that Ruby calls on any object.
        def respond_to_missing?(name, include_all = false)
          return super if name.to_s.start_with?('to_', 'marshal_', '_')

          resolved_type.respond_to?(name, include_all)
        end

        def method_missing(name, *arguments, &block)
          respond_to?(name) ? resolved_type.public_send(name, *arguments, &block) : super
        end
      end

      # Types that can be iterated over.
      [PEnumType, PIntegerType].each do |type|
        type.class_eval do
          def each(&block)
            elements = Iterable.on(self)
            block ? elements.each(&block) : elements
          end
        end
      end

      %w[Scalar ScalarData Numeric Integer Float Boolean String Enum Pattern Regexp Collection Array
         Hash Tuple Struct Variant Optional NotUndef Iterable Iterator Callable Type Init Sensitive
         Binary SemVer SemVerRange Timespan Timestamp URI CatalogEntry Class Resource Runtime Object
         TypeSet TypeAlias TypeReference Undef Unit Default].each { |kind| type_class(kind) }

      class PResourceType
        def initialize(type_name = nil, title = nil)
          shown = Puppet::Util.capitalize_segments(type_name.to_s)
          text = title.nil? ? shown : "#{shown}[#{title.to_s.inspect}]"
          become(type_name.nil? ? 'Resource' : text, type_name && shown, title)
        end

        def downcased_name
          type_name&.downcase
        end
      end

      class PClassType
        def initialize(class_name = nil)
          become(class_name.nil? ? 'Class' : "Class[#{class_name}]", class_name, nil)
        end

        def class_name
          type_name
        end
      end

      class PSensitiveType
        # A sensitive value.
        class Sensitive
          def initialize(value)
            @value = value
          end

          def unwrap
            @value
          end

          def marshal_dump
            [@value]
          end

          def marshal_load(content)
            @value = content[0]
          end

          def to_s
            'Sensitive [value redacted]'
          end

          def inspect
            "#<#{self}>"
          end

          def ==(other)
            other.is_a?(Sensitive) && other.hash == hash
          end
          alias eql? ==

          def hash
            @value.hash
          end
        end
      end

      class PBinaryType
        # Bytes.
        class Binary
          attr_reader :binary_buffer

          def self._load(content)
            new(content)
          end

          def self.from_base64(text)
            new(text.unpack1('m'))
          end

          def self.from_base64_strict(text)
            new(text.unpack1('m0'))
          end

          def self.from_string(text)
            new(text.dup.force_encoding('ASCII-8BIT'))
          end

          def self.from_binary_string(bytes)
            new(bytes)
          end

          def initialize(bytes)
            @binary_buffer = bytes.dup.force_encoding('ASCII-8BIT').freeze
          end

          def _dump(_level)
            @binary_buffer
          end

          def to_s
            [@binary_buffer].pack('m0')
          end
          alias inspect to_s

          def length
            @binary_buffer.length
          end

          def ==(other)
            other.is_a?(Binary) && other.binary_buffer == @binary_buffer
          end
          alias eql? ==

          def hash
            @binary_buffer.hash
          end
        end
      end

      # Parses types for module code.
      class TypeParser
        def self.singleton
          @singleton ||= new
        end

        def parse(text, *)
          text.is_a?(PAnyType) ? text : Bunraku.ask('type.parse', text.to_s)
        end
      end

      # Infers the types of values.
      class TypeCalculator
        def self.singleton
          @singleton ||= new
        end

        class << self
          %i[infer infer_set instance? assignable? generalize string is_kind_of_callable?].each do |name|
            define_method(name) { |*arguments| singleton.public_send(name, *arguments) }
          end
        end

        def infer(value)
          Bunraku.ask('type.infer', value)
        end

        def infer_set(value)
          Bunraku.ask('type.infer_set', value)
        end

        def infer_generic(value)
          generalize(infer(value))
        end

        def instance?(type, value)
          type.instance?(value)
        end

        def assignable?(type, other)
          type.assignable?(other)
        end

        def generalize(type)
          type.generalize
        end

        def string(type)
          type.to_s
        end

        def is_kind_of_callable?(type, *)
          PCallableType::DEFAULT.assignable?(type)
        end
      end

      def self.const_missing(name)
        return super unless %i[TypeFactory TypeFormatter PStructElement].include?(name)

        Bunraku.use('type_factory')
        const_get(name, false)
      end

      # Raises an error for values that are not instances of a type.
      module TypeAsserter
        def self.assert_instance_of(subject, type, value, nil_ok = false)
          return value if nil_ok && value.nil?

          type = TypeParser.singleton.parse(type)
          return value if type.instance?(value)

          fail_mismatch(block_given? && subject.nil? ? yield : subject, 'type.explain_mismatch', type, value)
        end

        def self.assert_assignable(subject, expected, actual)
          return actual if expected.assignable?(actual)

          subject = yield if block_given? && subject.nil?
          fail_mismatch(subject, 'type.explain_types', expected, actual, 'is incorrect,')
        end

        def self.fail_mismatch(subject, question, expected, actual, fault = 'has wrong type,')
          subject = subject.join(' ') if subject.is_a?(Array)
          raise TypeAssertionError, Bunraku.ask(question, "#{subject} #{fault}", expected, actual)
        end
        private_class_method :fail_mismatch
      end

      # Messages about values of a wrong type.
      class TypeMismatchDescriber
        def self.singleton
          @singleton ||= new
        end

        # `actual` is a type or a value.
        def describe_mismatch(subject, expected, actual)
          question = actual.is_a?(PAnyType) ? 'type.explain_types' : 'type.explain_mismatch'
          Bunraku.ask(question, subject, TypeParser.singleton.parse(expected), actual)
        end
      end

      # Iterates over values as the language's own functions do.
      module Iterable
        class << self
          def asserted_iterable(caller, value, infer_elements = false)
            on(value, nil, infer_elements) or
              raise ::ArgumentError, "#{caller.class}(): wrong argument type (#{value.class}; is not Iterable."
          end

          def on(value, _element_type = nil, _infer_elements = false)
            case value
            when ::Array, ::Range, Enumerator then value.each
            when ::Hash then value.each_pair
            when ::String then value.each_char
            when ::Integer then value.negative? ? nil : value.times
            when PEnumType then value.values.each
            when PIntegerType then Parser::Scope.numbered(0).call_function('map', [value]) { |number| number }.each
            else value.respond_to?(:each) ? value.each : nil
            end
          end
        end
      end

      # An instance of an Object type. Other classes that act as one include it.
      module PuppetObject; end

      # Converts to text as String(...) does.
      class StringConverter
        def self.singleton
          @singleton ||= new
        end

        def self.convert(value, format = :default)
          singleton.convert(value, format)
        end

        def convert(value, format = :default)
          formats = format == :default ? [] : [format]
          Bunraku.ask('function.call', 'new', TypeParser.singleton.parse('String'), value, *formats)
        end
      end
    end

    # Durations and points of time, in nanoseconds.
    module Time
      NSECS_PER_SEC = 1_000_000_000

      class TimeData # rubocop:disable Style/Documentation
        include Comparable
        attr_reader :nsecs

        def self._load(content)
          new(content.to_i)
        end

        def self.from_seconds(seconds)
          new((seconds * NSECS_PER_SEC).to_i)
        end

        def initialize(nsecs)
          @nsecs = nsecs
        end

        def _dump(_level)
          @nsecs.to_s
        end

        def <=>(other)
          other.is_a?(self.class) ? @nsecs <=> other.nsecs : to_f <=> other
        end

        def hash
          @nsecs.hash
        end

        def eql?(other)
          other.instance_of?(self.class) && other.nsecs == @nsecs
        end

        def to_i
          @nsecs / NSECS_PER_SEC
        end
        alias to_int to_i

        def to_f
          @nsecs.fdiv(NSECS_PER_SEC)
        end

        def to_r
          Rational(@nsecs, NSECS_PER_SEC)
        end

        def to_c
          Complex(to_r)
        end

        def to_s
          Bunraku.ask('value.text', self)
        end
        alias inspect to_s

        def format(format)
          Bunraku.ask('function.call', 'strftime', self, format)
        end
      end

      class Timespan < TimeData # rubocop:disable Style/Documentation
        def self.parse(text, *format)
          Bunraku.ask('function.call', 'new', Types::TypeParser.singleton.parse('Timespan'), text, *format)
        end

        def self.from_hash(hash)
          Bunraku.ask('function.call', 'new', Types::TypeParser.singleton.parse('Timespan'), hash)
        end

        # rubocop:disable Metrics/ParameterLists
        def self.from_fields(negative, days, hours, minutes, seconds, milliseconds = 0, microseconds = 0, nanoseconds = 0)
          total = ((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds) * 1_000_000
          total += microseconds * 1000 + nanoseconds
          new(negative ? -total : total)
        end
        # rubocop:enable Metrics/ParameterLists

        def to_hash
          names = %w[days hours minutes seconds milliseconds microseconds nanoseconds]
          values = [days, hours, minutes, seconds, milliseconds, microseconds, nanoseconds]
          all = names.zip(values).reject { |_, value| value.zero? }.to_h
          @nsecs.negative? ? { 'negative' => true }.merge(all) : all
        end

        def milliseconds
          nsecs.abs / 1_000_000 % 1000
        end

        def microseconds
          nsecs.abs / 1000 % 1000
        end

        def nanoseconds
          nsecs.abs % 1000
        end

        { total_days: 86_400, total_hours: 3600, total_minutes: 60, total_seconds: 1 }.each do |name, unit|
          define_method(name) { @nsecs / (unit * NSECS_PER_SEC) }
        end

        def total_milliseconds
          @nsecs / 1_000_000
        end

        def total_microseconds
          @nsecs / 1000
        end

        def total_nanoseconds
          @nsecs
        end

        def +(other)
          other.is_a?(Timestamp) ? other + self : self.class.new(@nsecs + span(other))
        end

        def -(other)
          self.class.new(@nsecs - span(other))
        end

        def -@
          self.class.new(-@nsecs)
        end

        def *(other)
          self.class.new((@nsecs * other).to_i)
        end

        def /(other)
          other.is_a?(Timespan) ? @nsecs.fdiv(other.nsecs) : self.class.new((@nsecs / other).to_i)
        end

        def seconds
          to_i.abs % 60
        end

        def minutes
          to_i.abs / 60 % 60
        end

        def hours
          to_i.abs / 3600 % 24
        end

        def days
          to_i.abs / 86_400
        end

        private

        def span(other)
          other.is_a?(Timespan) ? other.nsecs : (other * NSECS_PER_SEC).to_i
        end
      end

      class Timestamp < TimeData # rubocop:disable Style/Documentation
        def self.now
          from_time(::Time.now)
        end

        def self.parse(text, *more)
          Bunraku.ask('function.call', 'new', Types::TypeParser.singleton.parse('Timestamp'), text, *more)
        end

        def self.from_hash(hash)
          Bunraku.ask('function.call', 'new', Types::TypeParser.singleton.parse('Timestamp'), hash)
        end

        def self.from_time(time)
          new((time.to_r * NSECS_PER_SEC).to_i)
        end

        def +(other)
          self.class.new(@nsecs + (other.is_a?(Timespan) ? other.nsecs : (other * NSECS_PER_SEC).to_i))
        end

        def -(other)
          return Timespan.new(@nsecs - other.nsecs) if other.is_a?(Timestamp)

          self.class.new(@nsecs - (other.is_a?(Timespan) ? other.nsecs : (other * NSECS_PER_SEC).to_i))
        end

        def to_time
          ::Time.at(to_r).utc
        end
      end
    end
  end
end
