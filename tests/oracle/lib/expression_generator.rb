# Random expressions of the language: operators on unusual values, access, conversions, formats, types
# and function calls. The same seed produces the same expressions.
require_relative 'random_choice'

module Oracle
  class ExpressionGenerator
    include RandomChoice

    INTEGERS = %w[0 1 2 3 7 -1 -2 10 42 255 0x1F 010 9223372036854775807 -9223372036854775807 4611686018427387904 1000000].freeze
    FLOATS = %w[0.0 1.0 1.5 -2.5 3.14159 1e3 1e-7 1.0e100 123456789.125 0.1 100.0 1e15 1e16 -0.5].freeze
    STRINGS = ["''", "'a'", "'A'", "'abc'", "'ABC'", "'hello world'", "'1'", "'-3'", "'1.5'", "'0x1f'", "'010'", "' 12 '",
               "'1e3'", "'true'", "'undef'", "'default'", "'é'", "'École'", "'日本'", '"a\nb"', '"a\tb"', "'a.b'", "'%d'",
               "'foo::bar'", "'/tmp/x'", "'1.2.3'", "'file'", "'it''s'".sub("''", "\\\\'"), "'a,b,c'", "'$x'", "'0'"].freeze
    OTHERS = ['true', 'false', 'undef', 'default', '/a/', '/b(c)?/', '/\A\d+\z/', '/^h.*d$/'].freeze
    RICH = ["Sensitive('s')", 'Sensitive(1)', 'Timespan(90)', "Timespan('1-02:03:04')", 'Timespan(1.5)', 'Timestamp(0)',
            "Timestamp('2020-01-02T03:04:05Z')", "SemVer('1.2.3')", "SemVer('1.2.3-rc1')", "SemVerRange('>=1.0.0 <2.0.0')",
            "SemVerRange('1.x')", "Binary('aGk=')", "Binary('')", "URI('http://a.b:80/c?d=e#f')", "URI('x')", 'Integer[1,3]',
            "'abc'.match(/b/)", "Error('m')", "Error('m', 'k', {'a' => 1}, 'c')", "Deferred('f', [1])", '[1, 2].reverse_each', '5.step(2)',
            "File['/x']", "Class['x']", 'Optional[Integer]', "Enum['a', 'b']", 'Hash[String, Integer]'].freeze
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
                   filter map reduce slice group_by partition index sort then lest with defined sprintf
                   scanf getvar call annotate digest lookup hiera tagged flatten].freeze
    LAMBDAS = ['|$x| { $x }', '|$x| { "${x}" }', '|$x| { $x == 1 }', '|$x| { undef }', '|$x, $y| { [$x, $y] }', '|*$x| { $x }',
               '|$x| { next(1) }', '|$x| { break() }', '|Integer $x| { $x + 1 }', '|$x, $y = 2| { "$x-$y" }', '|| { 5 }',
               '|$x| >> String { $x }', '|$m, $x| { $m }', '|String $x, *$rest| { $rest }', '|$x| { $x =~ String }'].freeze
    KINDS = { binary: 20, comparison: 8, access: 10, type_access: 8, conversion: 10, string_format: 8, sprintf: 3, relation: 8, instance: 8,
              inference: 4, call: 14, method: 8, iteration: 8, interpolation: 6, selector: 4, case: 4, condition: 3,
              unary: 4, assignment: 3, splat: 2, match_variables: 3, mixed: 4, type_call: 2,
              made_format: 8, nested_format: 4, new_number: 5, new_time: 6, new_container: 4, new_other: 4, assertion: 8, type_text: 4,
              time_arithmetic: 4, lambda_call: 5, well_typed_call: 12, pattern_call: 6, navigation: 4, chain: 4,
              number_text: 3, rich_binary: 8, rich_pair: 5 }.freeze

    def initialize(seed, only = nil)
      @random = Random.new(seed)
      kinds = only ? KINDS.slice(*only) : KINDS
      raise ArgumentError, "unknown kind; there are #{KINDS.keys.join(' ')}" if kinds.empty?
      @kinds = kinds.flat_map { |kind, weight| [kind] * weight }
    end

    # Returns one expression, with its kind.
    def next_expression
      kind = pick(@kinds)
      [kind, send(kind)]
    end

    private

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
      return pick(SCALAR_TYPES) if depth.zero? || chance(35)
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

    # Every operator, with every pair of kinds.
    def rich_binary
      "#{pick(RICH + OTHERS + INTEGERS.first(3))} #{pick(OPERATORS)} #{pick(RICH + OTHERS + INTEGERS.first(3))}"
    end

    # Combinations of two values without an operator.
    def rich_pair
      a, b = Array.new(2) { chance(70) ? pick(RICH + OTHERS) : value }
      pick(["case #{a} { #{b}: { 'y' } default: { 'n' } }", "#{a} ? { #{b} => 'y' }", "#{a}[#{b}]", "[#{a}] == [#{b}]", "{#{a} => 1}[#{b}]", "[*#{a}, *#{b}]", "compare(#{a}, #{b})", "[#{a}, #{b}].unique",
            "[#{a}, #{b}].sort", "type([#{a}, #{b}], #{pick(%w[generalized reduced])})", "#{a}.convert_to(type(#{b}, generalized))", "assert_type(type(#{a}), #{b})", "String([#{a}, {#{a} => #{b}}])", "\"${[#{a}, {k => #{b}}]}\"",
            "#{pick(NEW_TYPES)}(#{a}, #{b})", "max(#{a}, #{b})"])
    end

    def comparison
      "#{value} #{pick(COMPARISONS)} #{value}"
    end

    def access
      key = -> { chance(70) ? pick(%w[0 1 2 -1 -2 5 'a' 'b' undef 1.5 '1' default]) : scalar }
      keys = Array.new(1 + @random.rand(3)) { key.call }
      "#{chance(40) ? array : value}[#{keys.join(', ')}]#{"[#{key.call}]" if chance(20)}"
    end

    def type_access
      keys = Array.new(1 + @random.rand(4)) { chance(50) ? type(1) : scalar }
      "#{pick(SCALAR_TYPES)}[#{keys.join(', ')}]"
    end

    def conversion
      "#{pick(NEW_TYPES)}.new(#{([value] + list(2) { scalar }).join(', ')})"
    end

    def string_format
      format = if chance(80) then "'#{pick(FORMATS)}'"
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
      chance(30) ? " #{pick(LAMBDAS)}" : ''
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
      "#{chance(60) ? array(2) : value}.#{name}(#{arguments}) #{pick(LAMBDAS)}"
    end

    def interpolation
      "\"<#{list(2) { "${#{value.gsub('"', '\\"')}}" }.join('|')}>\"".gsub('\\\\"', '\\"').then { |text| text.include?('\\"') ? "\"${#{scalar.delete('"')}}\"" : text }
    end

    def selector
      options = list(3) { "#{value} => #{scalar}" }
      options << "default => 'd'" if chance(70)
      options << '1 => 2' if options.empty?
      "#{value} ? { #{options.join(', ')} }"
    end

    def case
      options = list(3) { "#{chance(50) ? value : type}#{", #{value}" if chance(30)}: { \"<$0>\" }" }
      options << "default: { 'd' }" if chance(70) || options.empty?
      "case #{value} { #{options.join(' ')} }"
    end

    def condition
      "#{pick(%w[if unless])} #{chance(50) ? value : comparison} { \"yes$0\" } else { 'no' }"
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

    # --- formats ---

    def format_text(letters)
      flags = list(2) { pick(['#', '+', '-', '0', ' ', '<', '(', '[', '{', '|']) }.uniq.join
      width = chance(40) ? @random.rand(1..12).to_s : ''
      precision = chance(30) ? ".#{@random.rand(0..8)}" : ''
      "%#{flags}#{width}#{precision}#{pick(letters)}"
    end

    def made_format
      letters = %w[d x X o b B e E f g G a A s p c C u t T y Y h i q n v V D]
      case @random.rand(4)
      when 0 then "String(#{pick(INTEGERS + FLOATS)}, '#{format_text(letters.first(14))}')"
      when 1 then "sprintf('<#{format_text(letters.first(13))}>', #{pick(INTEGERS + FLOATS + STRINGS)})"
      else "String(#{value}, '#{format_text(letters)}')"
      end
    end

    def container_format(depth)
      members = ["format => '#{pick(['%a', '%s', '%p', '%h', '%(a', '%#a', '%<h', '%[a', '%{h', '%|a', '%#h'])}'"]
      members << "separator => '#{pick([';', ' ', ', ', ''])}'" if chance(50)
      members << "separator2 => '#{pick(%w[= : ->])}'" if chance(40)
      members << "string_formats => #{format_map(depth - 1)}" if depth.positive? && chance(60)
      "{#{members.join(', ')}}"
    end

    def format_map(depth)
      scalars = list(2) do
        "#{pick(%w[Integer Float String Any Numeric Boolean Undef Scalar Default Type Integer[1,10] Object])} => '#{pick(FORMATS)}'"
      end
      containers = list(2) { "#{pick(%w[Array Hash Tuple Struct Collection])} => #{container_format(depth)}" }
      "{#{(scalars + containers).uniq { |text| text[/\A\S+/] }.join(', ')}}"
    end

    def nested_format
      "String(#{chance(80) ? [array(2), hash(2)][@random.rand(2)] : value(2)}, #{format_map(2)})"
    end

    def number_text
      float = "#{@random.rand(10_000)}.#{@random.rand(10_000_000)}e#{@random.rand(-30..30)}"
      pick(["\"${#{float}}\"", "String(#{float})", "[#{float}, \"${[#{float}]}\"]", "#{float} * #{@random.rand(1000)}", "Integer(#{@random.rand(10**9)}.75)",
            "#{@random.rand(10**18)} #{pick(OPERATORS)} #{@random.rand(10**10)}", "sprintf('%.#{@random.rand(18)}g', #{float})",
            "round(#{float})", "\"${-#{@random.rand(10**18)}}\""])
    end

    # --- new ---

    def new_number
      digits = pick(["'#{pick(['', '-', '+', '- ', '+ '])}#{pick(%w[0x 0X 0b 0B 0 00 0o])}#{pick(%w[1 7 10 101 1f FF 9 _1 777 zz])}'", pick(INTEGERS), pick(FLOATS), pick(STRINGS), value])
      type = pick(%w[Integer Float Numeric Integer[0,100] Float[0.0,9.0] Optional[Integer] Boolean])
      extra = pick(['', '', ', 10', ', 16', ', 2', ', 8', ', 7', ', default', ', true', ', 16, true', ', default, false', ', 10, 1'])
      return "#{type}({from => #{digits}#{pick(['', ', radix => 16', ', abs => true', ', x => 1'])}})" if chance(20)
      "#{type}(#{digits}#{extra})"
    end

    TIME_FORMATS = %w[%D-%H:%M:%S %H:%M:%S %S %M:%S.%L %S.%N %-S %_M %0H %3N %-N %H:%M %d %D %Q %% %Y-%m-%d %F %T %FT%T%z %s %b\ %d\ %Y
                      %I:%M\ %p %j %y %e %A %B %Z %:z %U %3L %9N %C %u %w %G-W%V %h %n %R %r %c %x %X %v %+ %P %E %10Y %^a %#b %-d %l %k].freeze
    TIME_TEXTS = ["'1-02:03:04'", "'00:01:30'", "'90'", "'1.5'", "'-1-00:00:00.5'", "'2020-01-02T03:04:05'", "'2020-01-02 03:04:05 UTC'",
                  "'2016-02-29'", "'1969-12-31T23:59:59.123 EST'", "'Jan 05 2020'", "'x'", "''", "'12:30 PM'", "'2020-13-01'"].freeze

    def new_time
      format = "'#{Array.new(1 + @random.rand(2)) { pick(TIME_FORMATS).delete('\\') }.join(pick(['', ' ', '-', 'T']))}'"
      moment = pick(["Timestamp('2020-01-02T03:04:05.678')", 'Timestamp(0)', "Timestamp('1999-12-31 23:59:59')", 'Timestamp(-1.5)', 'Timestamp(1e9)'])
      span = pick(['Timespan(90061.5)', 'Timespan(-1.25)', 'Timespan(0)', "Timespan('1-02:03:04.567')", 'Timespan(1,2,3,4,5,6,7)', 'Timespan({hours => 25, negative => true})'])
      zone = pick(["'UTC'", "'+02:00'", "'EST'", "'Europe/Berlin'", "'current'", 'default', "'PDT'", "'xyz'"])
      pick(["strftime(#{moment}, #{format})", "strftime(#{span}, #{format})", "strftime(#{moment}, #{format}, #{zone})", "Timespan(#{pick(TIME_TEXTS)})",
            "Timespan(#{pick(TIME_TEXTS)}, #{format})", "Timestamp(#{pick(TIME_TEXTS)})", "Timestamp(#{pick(TIME_TEXTS)}, #{format})",
            "Timestamp(#{pick(TIME_TEXTS)}, #{format}, #{zone})", "Timestamp(#{pick(TIME_TEXTS)}, [#{format}, '%F'])", "Timespan(#{list(7) { pick(INTEGERS.first(8)) }.join(', ')})",
            "Integer(#{pick([moment, span])})", "Float(#{pick([moment, span])})", "String(#{pick([moment, span])})", "Timespan({#{pick(%w[days hours minutes seconds milliseconds])} => #{scalar}})"])
    end

    def time_arithmetic
      operand = lambda do
        pick(['Timespan(90)', 'Timespan(-1.5)', "Timespan('1-00:00:00')", 'Timestamp(0)', "Timestamp('2020-01-02')", 'Timespan(0)', pick(INTEGERS.first(9)), pick(FLOATS), scalar])
      end
      "#{operand.call} #{pick(%w[+ - * / % == != < <= > >= << ])} #{operand.call}"
    end

    def new_container
      pick(["Array(#{value}, #{pick(%w[true false undef 1])})", "Array(#{value})", "Hash(#{value})", "Hash(#{array(2)}, #{pick(%w['tree' 'hash_tree' 'x'])})", "Hash([[#{scalar}, #{scalar}], [#{scalar}, #{scalar}]])",
            "Hash([[[0], #{value}], [[1, 'a'], #{value}], [[#{scalar}], 1]], #{pick(%w['tree' 'hash_tree'])})", "Hash([#{scalar}, #{scalar}, #{scalar}, #{scalar}])",
            "Tuple[#{type(1)}, #{type(1)}](#{value})", "Struct[{a => #{type(1)}, Optional[b] => #{type(1)}}](#{value})", "Struct[{a => #{type(1)}}]({a => #{value}})",
            "Array[#{type(1)}](#{value})", "Hash[#{type(1)}, #{type(1)}](#{value})", "Iterable(#{value})", "Variant[Integer, Array](#{value})"])
    end

    def new_other
      version = pick(["'1.2.3'", "'1.2.3-rc.1+b'", "'01.2.3'", "'1.2'", "''", "'1.x'", "'v1.2.3'", scalar])
      range = pick(["'>=1.0.0 <2.0.0'", "'1.x'", "'~1.2'", "'^0.1.2'", "'1.2.3 - 2.0.0'", "'>1'", "'<=2.3'", "'*'", "''", "'1.0.0 || 2.0.0'", "'=1'", scalar])
      pick(["SemVer(#{version})", "SemVer(#{Array.new(3) { pick(%w[0 1 2 -1 'a']) }.join(', ')}#{pick(['', ", 'rc.1'", ", 'rc', 'b'", ', 1'])})", "SemVerRange(#{range})",
            "SemVerRange(#{version}, #{version}#{pick(['', ', true', ', 1'])})", "SemVer(#{version}) =~ SemVerRange(#{range})", "SemVer(#{version}) #{pick(COMPARISONS)} SemVer(#{version})", "String(SemVerRange(#{range}))",
            "SemVer(#{version}) =~ SemVer[#{range}]", "Binary(#{pick(STRINGS)}, '#{pick(%w[%b %B %u %s %r %x])}')", "Binary(#{array})", "Binary([1, 255, 104])", "Regexp(#{value}, #{pick(%w[true false 1])})",
            "URI(#{pick(["'http://u:p@h:80/p;x?q#f'", "'a b'", "'/x'", "'mailto:a@b'", "'http://[::1]/'", "'x://'", "'http://h:99999/'", scalar])})", "URI('http://a/b/c') + #{pick(["'../d'", "'/e'", "'?q'", "'http://z'", scalar])}",
            "Sensitive(#{value})", "Type(#{pick(["'Integer[1,2]'", "'Array[String'", "'Foo::Bar'", "'[1]'", "'1'", "''", "'Struct[{a=>String}]'", scalar])})", "Boolean(#{value})", "Init[#{type(1)}](#{value})", "Init[Integer, 16](#{scalar})",
            "Timestamp =~ Init[#{scalar}]", "Error(#{list(3) { value }.join(', ')})", "Deferred(#{pick(STRINGS)}, #{array})"])
    end

    # --- types ---

    def assertion
      text = chance(50) ? "assert_type(#{type}, #{value(3)})" : "with(#{value(3)}) |#{type} $x| { $x }"
      return text if chance(70)
      "with(#{list(3) { value }.join(', ')}) |#{type(1)} $a, #{type(1)} $b = #{value}, #{pick(['*$c', 'Integer *$c', 'String $c = "x"'])}| >> #{type(1)} { $a }"
    end

    def type_text
      pick(["\"${#{type(3)}}\"", "String(#{type(3)})", "Type('#{type(2).gsub("'", '"')}')", "type(#{value(3)}, #{pick(%w[generalized detailed reduced 'x'])}).convert_to(String)",
            "#{type(2)} == Type(String(#{type(2)}))", "String(#{type(2)}, '#{pick(%w[%s %p %#s %#p %10s %-40s| %d])}')"])
    end

    # --- calls ---

    def lambda_call
      parameters = list(3) { |_| "#{pick(['', '', 'Integer ', 'String ', 'Optional[Integer] ', 'Array[Integer] ', 'Variant[Integer, String] '])}$#{pick(%w[a b c d])}" }.uniq { |text| text[/\$\w/] }
      parameters[-1] = "#{parameters[-1]} = #{value}" if parameters.any? && chance(30)
      parameters << "#{pick(['', 'Integer '])}*$r" if chance(30)
      body = pick(["'x'", parameters.first.to_s[/\$\w/] || '1', 'next(7)', 'return(8)', 'break()', '[1].each |$q| { break() } 2', "{ 'k' => 1 }"])
      "with(#{list(4) { value(1) }.join(', ')}) |#{parameters.join(', ')}| #{pick(['', '', '>> Integer ', '>> String '])}{ #{body} }"
    end

    # Arguments of the types that each function expects.
    def well_typed_call
      text = -> { pick(STRINGS) }
      number = -> { pick(INTEGERS + FLOATS) }
      numbers = -> { "[#{list(4) { number.call }.join(', ')}]" }
      texts = -> { "[#{list(4) { text.call }.join(', ')}]" }
      pick(["abs(#{number.call})", "ceiling(#{number.call})", "floor(#{number.call})", "round(#{number.call})", "min(#{list(3) { number.call }.join(', ')})", "max(#{list(3) { text.call }.join(', ')})",
            "max(#{numbers.call})", "min(#{texts.call})", "compare(#{text.call}, #{text.call}#{pick(['', ', true', ', false'])})", "compare(#{number.call}, #{number.call})", "sort(#{numbers.call})", "sort(#{texts.call})",
            "sort(#{texts.call}) |$a, $b| { compare($a, $b) }", "unique(#{array(2)})", "flatten(#{array(3)})", "flatten(#{value}, #{value})", "join(#{array(2)}, #{text.call})", "join(#{hash})", "length(#{value})", "empty(#{value})", "keys(#{hash})", "values(#{hash})",
            "slice(#{array(2)}, #{pick(%w[1 2 3 0])})", "#{text.call}.#{pick(%w[upcase downcase capitalize camelcase chomp chop lstrip rstrip strip length size empty])}", "#{texts.call}.#{pick(%w[upcase downcase capitalize camelcase chomp chop lstrip rstrip strip])}",
            "versioncmp('#{pick(%w[1.0 1.0.0 1.0-rc1 2 1.10 01.2 a 1.a])}', '#{pick(%w[1.0 1.0.0 1.0-rc2 2.0 1.9 1.2 b 1.])}')", "shellquote(#{list(3) { chance(70) ? text.call : texts.call }.join(', ')})", "md5(#{text.call})", "sha256(#{text.call})",
            "group_by(#{array(2)}) |$x| { type($x, generalized) }", "partition(#{array(2)}) |$x| { $x =~ String }", "index(#{array(2)}, #{value})", "reduce(#{numbers.call}) |$m, $x| { $m + $x }", "reduce(#{array}, #{value}) |$m, $x| { [$m, $x] }",
            "map(#{hash}) |$k, $v| { \"${k}=${v}\" }", "filter(#{hash(2)}) |$k, $v| { $v }", "all(#{array}) |$i, $x| { $i < 2 }", "any(#{hash}) |$x| { $x[1] }", "step(#{array}, 2).map |$x| { $x }", "reverse_each(#{hash}).map |$x| { $x }",
            "tree_each(#{array(3)}) |$p, $v| { notice($p, $v) }", "tree_each(#{array(3)}, #{pick(['{order => breadth_first}', '{include_root => false}', '{include_containers => false}', '{include_values => false}', '{x => 1}', '{container_type => Array}'])}).map |$x| { $x }",
            "convert_to(#{value}, #{pick(NEW_TYPES)})", "new(#{pick(NEW_TYPES)}, #{value})", "unwrap(#{value}) |$x| { $x }", "unwrap(Sensitive(#{value}))", "call(#{pick(["'abs'", "'upcase'", "'nope'", "'with'"])}, #{value})", "fqdn_rand(#{pick(INTEGERS)}, #{scalar})",
            "then(#{value}) |$x| { $x }", "lest(#{value}) || { 1 }", "defined(#{pick(["'$x'", "'include'", "'notify'", 'Notify', "Notify['a']", "Class['a']", "'File'", scalar])})", "scanf(#{text.call}, '#{pick(%w[%d %s %f %x %i%s %3s%d %c %[a-z] %o %5c %*d%s %n %%])}')",
            "inline_epp('<%= #{pick(['1', '$x', '"a"'])} %>', #{hash})", "getvar(#{pick(["'facts'", "'nope'", "'facts.a'", "'x y'", "'a::b.c'"])}#{pick(['', ', 1'])})", "digest(#{text.call})", "sprintf('%s-%05.1f|%+d', #{text.call}, #{number.call}, #{number.call})"])
    end

    PATTERNS = %w[/a/ /(b)(c)?/ /^h.*d$/ /\s+/ /(?<x>l+)o/ /[[:upper:]]/ /\d+|\w/ /,/ // /(?i)ABC/ /\Aa/ /(?=c)/ /(?!a)./ /(?<=a)b/ /(?<=a+)b/ /(?<=a|bc)./ /(?<!a{2})b/ /(?<=(?:h|el))./ /(?<=(l|lo))./ /é/ /\p{L}+/ /(a)|(b)/ /.*/ /\./ /\b/ /(?:x)?/].freeze

    def pattern_call
      text = chance(85) ? pick(STRINGS) : value
      pattern = chance(80) ? pick(PATTERNS) : pick(["'a'", "','", "'.'", "''", "' '", 'Regexp[/b/]', 'Pattern[/a/, /b/]', "'['", value])
      replacement = pick(["'x'", "'<\\\\0>'", "'\\\\1\\\\2'", "'\\\\k<x>'", "''", "{'a' => '1', 'b' => '2'}", "'$1'", value])
      pick(["regsubst(#{text}, #{pattern}, #{replacement}#{pick(['', ", 'G'", ", 'I'", ", 'GI'", ", 'M'", ", 'E'", ", 'X'"])})", "match(#{text}, #{pattern})", "split(#{text}, #{pattern})", "#{text} =~ #{pattern}", "#{text} !~ #{pattern}",
            "if #{text} =~ #{pattern} { [$0, $1, $2] } else { 'no' }", "#{pattern} in #{text}", "case #{text} { #{pattern}: { \"${0}:${1}\" } default: { 'd' } }", "[#{text}, 'abc'].match(#{pattern})", "#{text} ? { #{pattern} => $0, default => 'no' }"])
    end

    def navigation
      path = list(3) { pick(%w[0 1 2 -1 'a' 'b' 'A' undef 1.5]) }
      pick(["dig(#{value(3)}, #{path.join(', ')})", "get(#{value(3)}, '#{path.join('.').delete("'")}'#{pick(['', ', 1', ', #{value}'.sub('#{value}', scalar)])})", "#{value(3)}.get('#{pick(%w[0 a a.b 0.1 a.0.b x 1])}') |$e| { \"${e['kind']}\" }",
            "#{value(3)}#{path.map { |key| "[#{key}]" }.join}", "#{value(3)}.dig(#{path.join(', ')})"])
    end

    def chain
      links = Array.new(1 + @random.rand(3)) do
        pick(['.map |$x| { $x }', '.filter |$x| { $x }', '.reverse_each', '.step(2)', '.unique', '.flatten', '.keys', '.values', '.length', '.size', '.upcase', ".join(',')", '.sort', '.max', '.min', '.type', '.tree_each',
              '.slice(2)', '.reduce |$m, $x| { $x }', '.convert_to(Array)', '.convert_to(String)', '.empty', '.abs', '.unwrap', '.then |$x| { $x }', '.lest || { 1 }', '.index |$x| { $x }', '.with |*$x| { $x }', '[0]', '.each |$x| { }'])
      end
      "#{value(2)}#{links.join}"
    end

    def mixed
      "[#{send(pick(%i[binary access relation]))}, \"${#{pick(INTEGERS)} #{pick(%w[+ - * /])} #{pick(FLOATS)}}\"]"
    end
  end
end
