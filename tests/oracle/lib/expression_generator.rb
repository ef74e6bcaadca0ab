# Random expressions of the language: operators on odd values, access, conversions, formats, types and
# function calls. The same seed gives the same expressions.
module Oracle
  class ExpressionGenerator
    INTEGERS = %w[0 1 2 3 7 -1 -2 10 42 255 0x1F 010 9223372036854775807 -9223372036854775807 4611686018427387904 1000000].freeze
    FLOATS = %w[0.0 1.0 1.5 -2.5 3.14159 1e3 1e-7 1.0e100 123456789.125 0.1 100.0 1e15 1e16 -0.5].freeze
    STRINGS = ["''", "'a'", "'A'", "'abc'", "'ABC'", "'hello world'", "'1'", "'-3'", "'1.5'", "'0x1f'", "'010'", "' 12 '",
               "'1e3'", "'true'", "'undef'", "'default'", "'é'", "'École'", "'日本'", '"a\nb"', '"a\tb"', "'a.b'", "'%d'",
               "'foo::bar'", "'/tmp/x'", "'1.2.3'", "'file'", "'it''s'".sub("''", "\\\\'"), "'a,b,c'", "'$x'", "'0'"].freeze
    OTHERS = ['true', 'false', 'undef', 'default', '/a/', '/b(c)?/', '/\A\d+\z/', '/^h.*d$/'].freeze
    RICH = ["Sensitive('s')", 'Sensitive(1)', 'Timespan(90)', "Timespan('1-02:03:04')", 'Timespan(1.5)', 'Timestamp(0)',
            "Timestamp('2020-01-02T03:04:05Z')", "SemVer('1.2.3')", "SemVer('1.2.3-rc1')", "SemVerRange('>=1.0.0 <2.0.0')",
            "SemVerRange('1.x')", "Binary('aGk=')", "Binary('')", "URI('http://a.b:80/c?d=e#f')", "URI('x')", 'Integer[1,3]',
            "'abc'.match(/b/)"].freeze
    SCALAR_TYPES = %w[Any Undef Default Scalar ScalarData Numeric Integer Float Boolean String Regexp Collection Array Hash Data
                      RichData Type Sensitive Binary SemVer SemVerRange Timespan Timestamp URI Iterable Iterator Callable
                      NotUndef Optional CatalogEntry Resource Class Enum Pattern Variant Tuple Struct Runtime Object TypeSet
                      Init File Notify].freeze
    OPERATORS = %w[+ - * / % << >> == != < <= > >= in and or =~ !~].freeze
    COMPARISONS = %w[== != < <= > >=].freeze
    NEW_TYPES = %w[Integer Float Numeric String Boolean Array Hash Tuple Struct Timespan Timestamp SemVer SemVerRange Binary
                   Regexp Sensitive URI Type Init[Integer] Optional[Integer] NotUndef[String] Enum[a,b] Pattern[/a/]
                   Array[Integer] Hash[String,Integer] Integer[0,10] String[1,3] Variant[Integer,String] Any].freeze
    FORMATS = %w[%d %s %p %x %#x %o %b %f %.2f %e %g %a %5d %-5d| %05d %+d %c %C %u %t %q %j %% %#a %(a %<h %#p %y %Y %5s %-10s| %.1s %i %B].freeze
    FUNCTIONS = %w[abs ceiling floor round compare empty flatten join keys values length size split match regsubst strftime dig
                   get unique unwrap versioncmp camelcase capitalize downcase upcase chomp chop lstrip rstrip strip assert_type
                   convert_to type new max min sprintf shellquote md5 sha1 sha256 fqdn_rand reverse_each step tree_each any all each
                   filter map reduce slice group_by partition index sort then lest with defined sprintf].freeze
    LAMBDAS = ['|$x| { $x }', '|$x| { "${x}" }', '|$x| { $x == 1 }', '|$x| { undef }', '|$x, $y| { [$x, $y] }', '|*$x| { $x }',
               '|$x| { next(1) }', '|$x| { break() }', '|Integer $x| { $x + 1 }', '|$x, $y = 2| { "$x-$y" }', '|| { 5 }',
               '|$x| >> String { $x }', '|$m, $x| { $m }', '|String $x, *$rest| { $rest }', '|$x| { $x =~ String }'].freeze
    KINDS = { binary: 20, comparison: 8, access: 10, type_access: 8, conversion: 10, string_format: 8, sprintf: 3, relation: 8, instance: 8,
              inference: 4, call: 14, method: 8, iteration: 8, interpolation: 6, selector: 4, case: 4, condition: 3,
              unary: 4, assignment: 3, splat: 2, match_variables: 3, mixed: 4, type_call: 2 }.freeze

    def initialize(seed, only = nil)
      @random = Random.new(seed)
      kinds = only ? KINDS.slice(*only) : KINDS
      raise ArgumentError, "unknown kind; there are #{KINDS.keys.join(' ')}" if kinds.empty?
      @kinds = kinds.flat_map { |kind, weight| [kind] * weight }
    end

    # One expression, with its kind.
    def next_expression
      kind = pick(@kinds)
      [kind, send(kind)]
    end

    private

    def pick(list)
      list[@random.rand(list.size)]
    end

    def chance(of)
      @random.rand < of
    end

    def list(count)
      Array.new(@random.rand(count + 1)) { yield }
    end

    def scalar
      case @random.rand(10)
      when 0..2 then pick(INTEGERS)
      when 3 then pick(FLOATS)
      when 4..7 then pick(STRINGS)
      else pick(OTHERS)
      end
    end

    def value(depth = 2)
      case @random.rand(16)
      when 0..8 then scalar
      when 9 then pick(RICH)
      when 10 then type(1)
      when 11..13 then depth.zero? ? scalar : array(depth - 1)
      else depth.zero? ? scalar : hash(depth - 1)
      end
    end

    def array(depth = 1)
      "[#{list(3) { value(depth) }.join(', ')}]"
    end

    def hash(depth = 1)
      pairs = list(3) { [scalar, value(depth)] }.uniq(&:first)
      "{#{pairs.map { |key, item| "#{key} => #{item}" }.join(', ')}}"
    end

    def bound
      pick(%w[0 1 2 3 5 10 default -1])
    end

    def type(depth = 2)
      return pick(SCALAR_TYPES) if depth.zero? || chance(0.35)
      inner = -> { type(depth - 1) }
      case @random.rand(22)
      when 0 then "Integer[#{bound}, #{bound}]"
      when 1 then "Integer[#{bound}]"
      when 2 then "Float[#{pick(%w[0.0 1.5 default -1])}, #{pick(%w[2.0 3 default])}]"
      when 3 then "String[#{bound}, #{bound}]"
      when 4 then "String[#{bound}]"
      when 5 then "Array[#{inner.call}]"
      when 6 then "Array[#{inner.call}, #{bound}, #{bound}]"
      when 7 then "Hash[#{inner.call}, #{inner.call}]"
      when 8 then "Hash[#{inner.call}, #{inner.call}, #{bound}]"
      when 9 then "Variant[#{inner.call}, #{inner.call}]"
      when 10 then "Optional[#{inner.call}]"
      when 11 then "Optional['a']"
      when 12 then "NotUndef[#{inner.call}]"
      when 13 then "Enum['a', 'b'#{pick(['', ', true', ", 'A'"])}]"
      when 14 then "Pattern[/a/, #{pick(%w[/b/ 'c'])}]"
      when 15 then "Tuple[#{inner.call}, #{inner.call}#{pick(['', ', 1, 3', ', 1'])}]"
      when 16 then "Struct[{#{pick(%w['a' Optional['a'] NotUndef['a']])} => #{inner.call}, 'b' => #{inner.call}}]"
      when 17 then "Type[#{inner.call}]"
      when 18 then "Sensitive[#{inner.call}]"
      when 19 then "Callable[#{inner.call}#{pick(['', ', 1, 2'])}]"
      when 20 then pick(["Regexp['a']", 'Boolean[true]', "SemVer['1.x']", 'Collection[1, 2]', "Class['a']", "File['/a']", "Resource['file', 'x']",
                         "Init[Integer]", 'Iterable[String]', "Iterator[Integer]", "Runtime['ruby', 'X']", "Timespan[1, 2]", "URI['x']",
                         "Object[{attributes => {a => Integer}}]", "Callable[[Integer], String]", 'Callable[0, 0]'])
      else pick(SCALAR_TYPES)
      end
    end

    def binary
      "#{value} #{pick(OPERATORS)} #{value}"
    end

    def comparison
      "#{value} #{pick(COMPARISONS)} #{value}"
    end

    def access
      key = -> { chance(0.7) ? pick(%w[0 1 2 -1 -2 5 'a' 'b' undef 1.5 '1' default]) : scalar }
      keys = Array.new(1 + @random.rand(3)) { key.call }
      "#{chance(0.4) ? array : value}[#{keys.join(', ')}]#{"[#{key.call}]" if chance(0.2)}"
    end

    def type_access
      keys = Array.new(1 + @random.rand(4)) { chance(0.5) ? type(1) : scalar }
      "#{pick(SCALAR_TYPES)}[#{keys.join(', ')}]"
    end

    def conversion
      "#{pick(NEW_TYPES)}.new(#{([value] + list(2) { scalar }).join(', ')})"
    end

    def string_format
      format = if chance(0.8) then "'#{pick(FORMATS)}'"
               else "{#{pick(SCALAR_TYPES)} => '#{pick(FORMATS)}', Array => {format => '#{pick(%w[%a %(a %#a %s])}', separator => ';'}}"
               end
      "String(#{value}, #{format})"
    end

    def sprintf
      "sprintf('#{pick(FORMATS)}#{pick(['', ' ' + pick(FORMATS)])}', #{Array.new(1 + @random.rand(2)) { value }.join(', ')})"
    end

    def relation
      "#{type} #{pick(COMPARISONS)} #{type}"
    end

    def instance
      "#{value} =~ #{type}"
    end

    def inference
      "type(#{value(3)}#{pick(['', ', detailed', ', reduced', ', generalized'])})"
    end

    def lambda_or_none
      chance(0.3) ? " #{pick(LAMBDAS)}" : ''
    end

    def call
      "#{pick(FUNCTIONS)}(#{list(3) { value }.join(', ')})#{lambda_or_none}"
    end

    def method
      "#{value}.#{pick(FUNCTIONS)}(#{list(2) { value }.join(', ')})#{lambda_or_none}"
    end

    def iteration
      name = pick(%w[map filter each reduce slice any all reverse_each step group_by partition index sort unique tree_each then lest with])
      arguments = pick(['', '', '', '2', '0', "'a'", value(1)])
      "#{chance(0.6) ? array(2) : value}.#{name}(#{arguments}) #{pick(LAMBDAS)}"
    end

    def interpolation
      "\"<#{list(2) { "${#{value.gsub('"', '\\"')}}" }.join('|')}>\"".gsub('\\\\"', '\\"').then { |text| text.include?('\\"') ? "\"${#{scalar.delete('"')}}\"" : text }
    end

    def selector
      options = list(3) { "#{value} => #{scalar}" }
      options << "default => 'd'" if chance(0.7)
      options << '1 => 2' if options.empty?
      "#{value} ? { #{options.join(', ')} }"
    end

    def case
      options = list(3) { "#{chance(0.5) ? value : type}#{", #{value}" if chance(0.3)}: { \"<$0>\" }" }
      options << "default: { 'd' }" if chance(0.7) || options.empty?
      "case #{value} { #{options.join(' ')} }"
    end

    def condition
      "#{pick(%w[if unless])} #{chance(0.5) ? value : comparison} { \"yes$0\" } else { 'no' }"
    end

    def unary
      "#{pick(['-', '!', '- -', '!!', '-(', '!('])}#{value}".then { |text| text.include?('(') && text.match?(/\A[-!]\(/) ? "#{text})" : text }
    end

    def assignment
      case @random.rand(4)
      when 0 then "$a = #{value}; $a"
      when 1 then "[$a, $b] = #{value}; [$b, $a]"
      when 2 then "$a = #{value}; $a = 1"
      else "[$a, [$b, $c]] = [#{value}, #{array}]; \"$a $b $c\""
      end
    end

    def splat
      pick(["[*#{value}, 1]", "max(*#{array})", "[1, *(#{value})]", "case 1 { *#{array}: { 'y' } default: { 'n' } }", "notice(*#{array})"])
    end

    def match_variables
      subject = pick(["'hello world'", "'abc'", '"a\nb"', value])
      regex = pick(['/(h)(.*)/', '/b(c)?(d)?/', '/^b/', '/\Aa.b\z/', '/(?<n>l+)o/', '/(?i)ABC/', '/\d+|\w/'])
      pick(["if #{subject} =~ #{regex} { \"$0,$1,$2,$3\" } else { \"none$0\" }", "#{subject} =~ #{regex}; [$0, $1]",
            "#{subject} ? { #{regex} => \"[$1]\", default => 'no' }", "#{regex} in [#{subject}, 'abc']; $0"])
    end

    def type_call
      "#{type(1)}(#{list(2) { value }.join(', ')})"
    end

    def mixed
      "[#{send(pick(%i[binary access relation]))}, \"${#{pick(INTEGERS)} #{pick(%w[+ - * /])} #{pick(FLOATS)}}\"]"
    end
  end
end
