require_relative 'random_choice'

module Oracle
  # Values, and values for attributes of resources, for random manifests. `@variables` are the known names.
  module ManifestValues
    include RandomChoice

    TAGS = %w[t1 t2 A notify c1 d1 m::c5 n::o].freeze
    ATTRIBUTES = {
      'notify' => %w[message message message withpath name], 'file' => %w[ensure mode owner content path source], 'group' => %w[gid members],
      'user' => %w[uid groups ensure home], 'exec' => %w[command path unless], 'package' => %w[ensure provider name], 'service' => %w[ensure enable],
      'schedule' => %w[period repeat]
    }.freeze
    RELATIONS = %w[require before notify subscribe].freeze
    METAPARAMETERS = (RELATIONS + %w[tag tag tag noop loglevel schedule alias audit]).freeze
    # A type, and a generator of its values.
    KINDS = {
      'Any' => :value, 'String' => :text, 'Optional[String]' => :text, 'Integer' => :number, 'Array' => :array, 'Hash' => :hash,
      'Variant[String, Integer]' => :text, 'Sensitive' => :secret, 'Boolean' => :truth, "Enum['one', 'two']" => :one_or_two,
      'Data' => :text, 'Type[CatalogEntry]' => :single_reference, 'Array[String, 1]' => :texts, "Pattern[/o/]" => :one_or_two, 'Tuple[String, Integer]' => :pair
    }.freeze

    private

    def list_of(range, &block)
      Array.new(@random.rand(range), &block)
    end

    def quoted(text)
      "'#{text}'"
    end

    def text
      case @random.rand(12)
      when 0...8 then quoted(pick(%w[one two red x Ab a\ b]))
      when 8 then "\"${#{pick(%w[title name] + texts_known)}}-s\""
      when 9 then "String(#{value})"
      when 10 then "inline_epp('<%= $title %>-<%= #{number} %>')"
      else "#{text}.upcase"
      end
    end

    def texts_known
      @variables.select { |name| name.start_with?('s') }
    end

    def texts
      "[#{list_of(1..3) { text }.join(', ')}]"
    end

    def pair
      "[#{text}, #{number}]"
    end

    def one_or_two
      quoted(pick(%w[one two]))
    end

    def number
      chance(80) ? @random.rand(5).to_s : "#{@random.rand(5)} + #{@random.rand(5)}"
    end

    def truth
      pick(%w[true false])
    end

    def array
      "[#{list_of(0..3) { value }.join(', ')}]"
    end

    def hash
      keys = chance(85) ? %w[k l m].map { |key| quoted(key) } : ['1', 'undef', "'k'", '[1]', 'true']
      "{ #{list_of(0..2) { "#{pick(keys)} => #{value}" }.uniq { |entry| entry[/\A.*? =>/] }.join(', ')} }"
    end

    def secret
      "Sensitive(#{value})"
    end

    def rich
      pick(['/x/', 'default', 'Integer', "SemVer('1.2.3')", 'Timespan(5)', 'String[1]', 'Binary("aGk=")', "Deferred('split', ['a b', ' '])",
            "Deferred('unwrap', [Sensitive('x')])", 'Timestamp(0)', "URI('http://a/b')", "SemVerRange('>=1.0.0')", "Regexp['a']",
            "Struct[{ 'a' => Integer }]", '1.5', '-0.0', '"é\u{1F600}"'])
    end

    def value
      case @random.rand(30)
      when 0...11 then text
      when 11...13 then number
      when 13 then 'undef'
      when 14 then truth
      when 15...18 then array
      when 18...20 then hash
      when 20, 21 then reference
      when 22, 23 then secret
      when 24, 25 then rich
      when 26...28 then @variables.empty? ? text : "$#{pick(@variables)}"
      when 28 then "lookup('#{pick(%w[a_text a_list a_hash])}')"
      else "[#{value}].map |$e| { #{chance(50) ? '$e' : value} }"
      end
    end

    def value_of(kind)
      flaw?(4) ? value : send(KINDS.fetch(kind))
    end

    def value_for(attribute)
      return value if flaw?(4)
      case attribute
      when *RELATIONS then relation
      when 'tag' then chance(70) ? quoted(pick(TAGS)) : "[#{list_of(0..3) { quoted(pick(TAGS)) }.join(', ')}]"
      when 'noop' then pick(%w[true false undef])
      when 'alias' then chance(80) ? fresh_quoted('al') : "[#{list_of(0..2) { fresh_quoted('al') }.join(', ')}]"
      when 'loglevel' then pick(%w[debug info])
      when 'schedule' then quoted(pick(%w[daily s]))
      when 'audit' then pick(['all', 'mode', "['mode', 'owner']"])
      when 'path', 'name' then fresh_quoted('/t/p')
      when 'command' then quoted(pick(%w[/bin/a /bin/b]))
      when 'provider' then quoted(pick(%w[gem apt pip]))
      when 'content' then chance(70) ? text : secret
      else value
      end
    end

    def relation
      case @random.rand(10)
      when 0...6 then reference
      when 6...8 then "[#{list_of(0..3) { reference }.join(', ')}]"
      when 8 then reference.match?(/[,$]/) ? reference : quoted(reference.delete("'"))
      else 'undef'
      end
    end
  end
end
