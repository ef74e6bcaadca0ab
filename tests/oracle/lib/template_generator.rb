# Random templates in the Ruby that templates use, and random values for their variables.

module Oracle
  # Expressions are made by the class of their value, so that most of them have one.
  class TemplateGenerator
    STRINGS = ['', 'a', 'b c', 'key=value', 'Ünïcode', "line\nbreak\n", '10', '3.7', 'a,b,,c', '%d', 'x"y', '  pad '].freeze
    INTEGERS = [0, 1, 2, 3, 7, -1, -8, 255, 1000].freeze
    FLOATS = [0.5, 1.0, 2.25, -3.75, 1e20, 1.0e-5, 100.0].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    def pick(list)
      list[@random.rand(list.size)]
    end

    def next_template
      @locals = 0
      Array.new(@random.rand(1..4)) { statement(3) }.join
    end

    # A value as code of the language.
    def next_value(depth = 2)
      kinds = depth.zero? ? 6 : 10
      case @random.rand(kinds)
      when 0, 1, 2 then quoted(pick(STRINGS))
      when 3 then pick(INTEGERS).to_s
      when 4 then pick(%w[true false])
      when 5 then pick(['undef', '2.5', "'x y'"])
      when 6, 7 then "[#{Array.new(@random.rand(0..3)) { next_value(depth - 1) }.join(', ')}]"
      else "{#{Array.new(@random.rand(0..3)) { |i| "'k#{i}' => #{next_value(depth - 1)}" }.join(', ')}}"
      end
    end

    def quoted(text)
      "'#{text.gsub(/[\\']/) { |c| "\\#{c}" }}'"
    end

    private

    def statement(depth)
      case @random.rand(depth.zero? ? 3 : 9)
      when 0 then pick(["text\n", " %% ", "<%% ", "\n", "a %> b"])
      when 1, 2 then "<%= #{any(3)} #{pick(%w[%> -%>])}#{pick(["\n", ''])}"
      when 3 then "<% if #{bool(2)} #{pick(%w[%> -%>])}\n#{statement(depth - 1)}<% #{pick(['else', "elsif #{bool(1)}"])} -%>\n#{statement(depth - 1)}<%- end -%>\n"
      when 4 then "<% #{array(2)}.each do |x| -%>\n  <%= x.inspect %>#{statement(depth - 1)}<% end %>\n"
      when 5 then "<%- #{hash(2)}.each_pair do |k, v| -%>\n<%= k %>=<%= v.inspect %>\n<%- end -%>\n"
      when 6 then "<% case #{any(1)}\nwhen #{pick(['String', 'Integer, Float', '/a/', '1..5', 'nil', '"a"', 'Array'])} %>one<% when #{literal_string} %>two<% else %>other<% end %>"
      when 7
        name = "v#{@locals += 1}"
        "<% #{name} = #{any(2)}; #{name} ||= #{any(1)} %><%= #{name}.inspect %>"
      else "<% unless #{bool(2)} %>#{statement(depth - 1)}<% end -%>\n"
      end
    end

    def any(depth)
      value = send(pick(%i[string string integer float array array hash bool]), depth)
      pick([value, "(#{value}).inspect", "(#{value}).to_s", "(#{value}).class", "[#{value}, #{string(0)}].inspect"])
    end

    def literal_string
      pick(STRINGS).dump.gsub('\\u{', '\\u{').encode('UTF-8')
    end

    def string(depth)
      return literal_string if depth.zero?

      d = depth - 1
      s = string(d)
      pick([
             -> { s }, -> { "#{s}.upcase" }, -> { "#{s}.capitalize" }, -> { "#{s}.swapcase.reverse" }, -> { "#{s}.strip" },
             -> { "(#{s} + #{string(d)})" }, -> { "\"<\#{#{any(d)}}>\"" }, -> { "#{array(d)}.join(#{string(0)})" },
             -> { "#{s}.gsub(/[a-c]/, 'X')" }, -> { "#{s}.sub(/(.)(.)/, '\\2\\1')" }, -> { "#{s}.gsub(/\\w/) { |m| m.succ_or_self }".sub('succ_or_self', 'upcase') },
             -> { "#{s}[#{integer(0)}].to_s" }, -> { "#{s}[#{pick(INTEGERS)}..#{pick(INTEGERS)}].to_s" }, -> { "#{s}[/[a-z]+/].to_s" },
             -> { "#{s}.center(#{pick([0, 5, 12])}, '*')" }, -> { "#{s}.ljust(9) + '|'" }, -> { "#{s}.rjust(7, 'ab')" },
             -> { "#{s}.tr('a-c', 'x-z')" }, -> { "#{s}.delete('ab')" }, -> { "#{s}.squeeze" }, -> { "(#{s} * #{pick([0, 1, 3])})" },
             -> { "#{integer(d)}.to_s" }, -> { "'%05d|%-5s|%s' % [#{integer(d)}, #{string(0)}, #{bool(0)}]" },
             -> { "#{s}.chomp" }, -> { "#{s}.chop" }, -> { "#{s}.lstrip" }, -> { "#{s}.rstrip" },
             -> { "(#{bool(d)} ? #{s} : #{string(d)})" }, -> { "#{s}.partition(',').join('/')" }, -> { "#{s}.delete_prefix('a')" },
             -> { "(#{s} =~ /(\\w)(\\w*)/ ? $2.to_s + $1.to_s : 'none')" }, -> { "#{hash(d)}.fetch(#{string(0)}, #{s}).to_s" },
             -> { "#{hash(d)}.map { |k, v| \"\#{k}:\#{v}\" }.join(',')" }, -> { "#{array(d)}.inspect" }, -> { "#{array(d)}.first.to_s" }
           ]).call
    end

    def integer(depth)
      return pick(INTEGERS).to_s if depth.zero?

      d = depth - 1
      pick([
             -> { integer(0) }, -> { "(#{integer(d)} + #{integer(d)})" }, -> { "(#{integer(d)} * #{integer(0)})" },
             -> { "(#{integer(d)} - #{integer(d)})" }, -> { "(#{integer(d)} / 3)" }, -> { "(#{integer(d)} % 7)" }, -> { "(#{integer(d)} % -7)" },
             -> { "#{string(d)}.length" }, -> { "#{string(d)}.to_i" }, -> { "#{array(d)}.size" }, -> { "#{array(d)}.count" },
             -> { "#{string(d)}.index('a').to_i" }, -> { "#{string(d)}.count('a-z')" }, -> { "#{hash(d)}.size" }, -> { "#{float(d)}.round" },
             -> { "(#{integer(d)} <=> #{integer(d)})" }, -> { "[#{integer(d)}, #{integer(0)}].max" }, -> { "#{integer(d)}.abs" },
             -> { "[#{integer(d)}, #{integer(d)}, 4].inject { |a, b| a * 2 + b }" }, -> { "[#{integer(d)}, #{integer(0)}].sum" },
             -> { "(#{integer(0)} & 6 | 1)" }, -> { "2 ** #{pick([0, 3, 10])}" }, -> { "-#{integer(d)}.abs" }, -> { "#{integer(d)}.succ" }
           ]).call
    end

    def float(depth)
      return pick(FLOATS).to_s if depth.zero?

      d = depth - 1
      pick([-> { float(0) }, -> { "(#{float(d)} + #{integer(d)})" }, -> { "(#{float(d)} * #{float(0)})" }, -> { "#{integer(d)}.to_f" },
            -> { "#{string(d)}.to_f" }, -> { "(#{integer(d)} / 4.0)" }, -> { "#{pick([1.255, 2.5, 3.14159, 0.1])}.round(#{pick([1, 2, 3])})" },
            -> { "(#{float(d)} % 3)" }]).call
    end

    def bool(depth)
      return pick(%w[true false]) if depth.zero?

      d = depth - 1
      pick([
             -> { "#{string(d)}.empty?" }, -> { "(#{string(d)} == #{string(d)})" }, -> { "(#{integer(d)} > #{integer(d)})" },
             -> { "!#{bool(d)}" }, -> { "(#{bool(d)} && #{bool(d)})" }, -> { "(#{bool(d)} or not #{bool(d)})" }, -> { "#{array(d)}.include?(#{any(0)})" },
             -> { "#{hash(d)}.key?(#{string(0)})" }, -> { "#{array(d)}.any? { |x| x.nil? }" }, -> { "#{array(d)}.all?" }, -> { "#{string(d)}.start_with?('a', 'b')" },
             -> { "#{any(d)}.nil?" }, -> { "#{any(d)}.is_a?(#{pick(%w[String Integer Float Array Hash Numeric Enumerable NilClass])})" },
             -> { "(#{array(d)} == #{array(d)})" }, -> { "(#{hash(d)} != #{hash(d)})" }, -> { "(#{string(d)} !~ /a+/)" }, -> { "#{integer(d)}.between?(0, 9)" },
             -> { "#{integer(d)}.zero?" }, -> { "#{array(d)}.none?" }, -> { "(#{string(d)} < #{string(d)})" }, -> { "#{string(d)}.include?('a')" }
           ]).call
    end

    def array(depth)
      return pick(['[]', "['a', 'b', 'a']", '[3, 1, 2]', '%w[one two three]', "[nil, 'a', [1, ['b']]]", "['x', nil, true]"]) if depth.zero?

      d = depth - 1
      a = array(d)
      pick([
             -> { a }, -> { "[#{string(d)}, #{integer(d)}]" }, -> { "#{a}.flatten" }, -> { "#{a}.compact" }, -> { "#{a}.uniq" }, -> { "#{a}.reverse" },
             -> { "#{a}.map(&:to_s).sort" }, -> { "#{a}.map { |x| x.inspect }" }, -> { "#{a}.select { |x| x }" }, -> { "#{a}.reject(&:nil?)" },
             -> { "(#{a} + #{array(d)})" }, -> { "(#{a} - #{array(d)})" }, -> { "(#{a} & #{array(d)})" }, -> { "(#{a} | #{array(d)})" },
             -> { "#{string(d)}.split(#{pick(["','", "''", '/[,=]/', "' '", ''])})".sub('()', '') }, -> { "#{string(d)}.chars" }, -> { "#{string(d)}.lines" },
             -> { "#{hash(d)}.keys" }, -> { "#{hash(d)}.values" }, -> { "#{hash(d)}.to_a" }, -> { "#{hash(d)}.sort_by { |k, v| v.to_s }" },
             -> { "#{a}.sort_by { |x| x.to_s }" }, -> { "#{a}.zip(#{array(d)})" }, -> { "#{a}.first(2)" }, -> { "#{a}.last(2)" }, -> { "#{a}.drop(1)" },
             -> { "#{a}[#{pick(INTEGERS)}, 2].to_a" }, -> { "#{a}[1..-1].to_a" }, -> { "#{a}.each_with_index.map { |x, i| [i, x] }" },
             -> { "#{a}.map.with_index(1) { |x, i| \"\#{i}\#{x}\" }" }, -> { "#{a}.partition { |x| x.is_a?(String) }" }, -> { "#{a}.rotate" },
             -> { "#{a}.group_by { |x| x.class }.values" }, -> { "Array(#{any(d)})" }, -> { "(1..#{pick([0, 2, 4])}).map { |i| i * 2 }" },
             -> { "#{a}.flat_map { |x| [x, x] }" }, -> { "#{string(d)}.scan(/[a-z]/)" }, -> { "#{a}.each_with_object([]) { |x, m| m << x.to_s }" },
             -> { "#{a}.take_while { |x| x }" }, -> { "#{a}.min_by { |x| x.to_s }.to_s.chars" }, -> { "#{a}.map(&:to_s).max.to_s.split('')" }
           ]).call
    end

    def hash(depth)
      return pick(['{}', "{ 'b' => 1, 'a' => 2 }", '{ a: 1, "k" => nil }', "{ 1 => 'x', 'key' => ['y'] }"]) if depth.zero?

      d = depth - 1
      h = hash(d)
      pick([
             -> { h }, -> { "#{h}.merge(#{hash(d)})" }, -> { "#{h}.reject { |k, v| v.nil? }" }, -> { "#{h}.select { |k, v| k.is_a?(String) }" },
             -> { "{ #{string(d)} => #{integer(d)} }" }, -> { "#{array(d)}.map { |x| [x.to_s, x] }.to_h" }, -> { "#{h}.invert" }, -> { "#{h}.compact" },
             -> { "#{array(d)}.group_by { |x| x.class.to_s }" }, -> { "#{h}.transform_values(&:to_s)" }, -> { "Hash[#{h}.to_a]".sub(/\AHash\[(.*)\]\z/, '\1.to_h') },
             -> { "#{array(d)}.tally" }, -> { "#{h}.merge(#{hash(d)}) { |k, a, b| [a, b] }" }
           ]).call
    end
  end
end
