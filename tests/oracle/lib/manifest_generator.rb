require_relative 'random_choice'

# Writes random manifests: classes, defines, resources and all that changes them, with names from small sets, so
# that they meet. About half of them hold a mistake.
module Oracle
  class ManifestGenerator
    include RandomChoice

    CLASSES = %w[c1 c2 c3 m::c4].freeze
    DEFINES = %w[d1 d2 m::d3].freeze
    PARAMETERS = %w[p q].freeze
    TITLES = %w[a b c x].freeze
    FILES = %w[/t/a /t/b /t/a/ /t].freeze
    TAGS = %w[t1 t2 A notify c1 d1 m::c4 n::o].freeze
    TYPES = ['notify'] * 6 + ['file'] * 2 + %w[user exec].freeze
    ATTRIBUTES = { 'notify' => %w[message message withpath name], 'file' => %w[ensure mode owner path content],
                   'user' => %w[uid groups ensure], 'exec' => %w[command path] }.freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    def next_manifest
      @classes = some(CLASSES)
      @defines = some(DEFINES)
      @lines = []
      @declared = fresh_titles
      @spoils = chance(40)
      @classes.each_with_index { |name, i| write_class(name, i) }
      @defines.each { |name| write_define(name) }
      @lines << "stage { 's1': before => Stage['main'] }" if chance(10)
      body = Array.new(@random.rand(2..7)) { statement(0) }
      @lines.concat(in_node(body))
      @lines.join("\n")
    end

    private

    # By type, the titles of what the block that is being written declares.
    def fresh_titles
      Hash.new { |known, type| known[type] = [] }
    end

    def some(list)
      list.select { chance(60) }
    end

    def list_of(range, &block)
      Array.new(@random.rand(range), &block)
    end

    # --- definitions ---

    def write_class(name, number)
      parents = @classes[0...number]
      parent = !parents.empty? && chance(35) ? " inherits #{pick(parents)}" : ''
      write_block("class #{name}#{parameters}#{parent}", @random.rand(0..4), 1)
    end

    def write_define(name)
      write_block("define #{name}#{parameters}", @random.rand(0..3), 1)
    end

    def write_block(head, size, depth)
      @in_define = head.start_with?('define')
      elsewhere = @declared
      @declared = fresh_titles
      @lines << "#{head} {"
      size.times { @lines << "  #{statement(depth)}" }
      @lines << '}'
      @in_define = false
      @declared = elsewhere
    end

    def parameters
      return '' if @spoils && chance(60)
      names = (@spoils ? some(PARAMETERS) : PARAMETERS).map do |name|
        next "$#{name} = #{value}" unless @spoils

        type = chance(20) ? "#{pick(%w[String Any Optional[String] Array Sensitive Integer])} " : ''
        chance(80) ? "#{type}$#{name} = #{value}" : "#{type}$#{name}"
      end
      "(#{names.join(', ')})"
    end

    def in_node(body)
      return body unless chance(12)
      head = pick(['default', "'node.example.com'", '/^node/', "'other'", "/x/, default"])
      ["node #{head} {", *body.map { |line| "  #{line}" }, '}']
    end

    # --- statements ---

    def statement(depth)
      case @declared.empty? && !@spoils ? @random.rand(34) : @random.rand(100)
      when 0...34 then resource
      when 34...42 then override
      when 42...47 then defaults
      when 47...57 then collector
      when 57...68 then chain
      when 68...76 then class_statement
      when 76...80 then "realize(#{list_of(1..2) { reference }.join(', ')})"
      when 80...85 then create_resources
      when 85...87 then "tag(#{list_of(1..2) { quoted(pick(TAGS)) }.join(', ')})"
      when 87...92 then question
      when 92...95 then "$#{pick(%w[v w])} = #{value}"
      else depth < 3 ? control(depth) : resource
      end
    end

    def control(depth)
      inner = statement(depth + 1)
      pick([
        -> { "if #{condition} { #{inner} } else { #{statement(depth + 1)} }" },
        -> { "#{list_of(1..3) { quoted(pick(TITLES)) }.then { |titles| "[#{titles.join(', ')}]" }}.each |$i| { notify { \"${i}#{pick(@spoils ? ['', '-1', 'x'] : ["-#{@random.rand(99)}"])}\": } }" },
        -> { "case #{value} { #{value}: { #{inner} } default: { } }" },
        -> { "with(#{value}) |$z| { #{inner} }" }
      ]).call
    end

    def condition
      pick([-> { "defined(#{reference})" }, -> { "tagged(#{quoted(pick(TAGS))})" }, -> { "defined(#{quoted(pick(CLASSES))})" },
            -> { "#{value} == #{value}" }, -> { "defined('$v')" }]).call
    end

    def question
      pick([
        -> { "notice(#{reference}[#{pick(%w[message p noop tag name title mode])}])" },
        -> { "notice(defined(#{reference}), tagged(#{quoted(pick(TAGS))}))" },
        -> { @spoils ? "notice($#{pick(CLASSES)}::#{pick(%w[p q v])})" : 'notice($title)' },
        -> { "notice($title, $name)" },
        -> { "notice(#{reference})" },
        -> { "notice(getvar('#{pick(%w[p q v w c1::p c2::v title])}'))" }
      ]).call
    end

    def resource
      type = chance(25) && !@defines.empty? ? pick(@defines) : pick(TYPES)
      type = pick(%w[nosuch m::nosuch c1]) if chance(1)
      at = chance(12) ? pick(%w[@ @ @@]) : ''
      bodies = list_of(chance(90) ? 1..1 : 2..2) { "#{titles(type)}: #{attributes(type)}" }
      bodies << "default: #{attributes(type)}" if chance(5)
      "#{at}#{type} { #{bodies.shuffle(random: @random).join('; ')} }"
    end

    def titles(type)
      return title(type) if chance(85)
      pick([-> { "[#{list_of(1..2) { title(type) }.join(', ')}]" }, -> { '[]' }, -> { "[[#{title(type)}], #{title(type)}]" },
            -> { "\"${title}\"" }, -> { @spoils ? '$v' : title(type) }]).call
    end

    def title(type)
      text = new_title(type)
      @declared[type] << text
      text
    end

    # In half of the manifests, titles are rarely those of another resource.
    def new_title(type)
      text = type == 'file' || type == 'exec' ? pick(FILES) : pick(TITLES)
      return "\"#{text}${title}\"" if @in_define && chance(50)
      quoted(chance(@spoils ? 40 : 90) ? "#{text}#{@random.rand(@spoils ? 9 : 200)}" : text)
    end

    def attributes(type)
      list_of(0..2) { attribute(type) }.join(', ')
    end

    def attribute(type, operators: false)
      return "* => { #{quoted(pick(attribute_names(type)))} => #{value} }" if chance(4)
      name = chance(45) ? pick(attribute_names(type)) : metaparameter
      operator = operators && chance(25) ? '+>' : '=>'
      "#{name} #{operator} #{value_for(name)}"
    end

    def attribute_names(type)
      return ['nosuch'] if chance(1)
      ATTRIBUTES[type] || PARAMETERS
    end

    def metaparameter
      pick(%w[require before notify subscribe tag tag tag noop loglevel schedule alias audit stage].first(chance(96) ? 11 : 12))
    end

    def value_for(name)
      return value if chance(6)
      case name
      when 'require', 'before', 'notify', 'subscribe' then chance(80) ? reference : "[#{list_of(0..2) { reference }.join(', ')}]"
      when 'tag' then chance(75) ? quoted(pick(TAGS)) : "[#{list_of(0..2) { quoted(pick(TAGS)) }.join(', ')}]"
      when 'noop' then pick(%w[true false undef])
      when 'alias' then quoted(pick(TITLES + %w[al1 al2]))
      when 'stage' then quoted(pick(%w[main s1]))
      when 'loglevel' then pick(%w[debug info])
      when 'schedule' then quoted(pick(%w[daily s]))
      when 'audit' then pick(%w[all mode])
      when 'path' then quoted(pick(FILES))
      else value
      end
    end

    def override
      type = reference_type
      "#{reference(type)} { #{list_of(1..2) { attribute(type.downcase, operators: true) }.join(', ')} }"
    end

    def defaults
      type = reference_type
      return override if type == 'Class'
      "#{type} { #{list_of(1..2) { attribute(type.downcase) }.join(', ')} }"
    end

    def collector
      type = chance(97) ? reference_type : pick(%w[Nosuch Class])
      type = 'Notify' if type == 'Class' && chance(90)
      open, close = chance(12) ? %w[<<| |>>] : %w[<| |>]
      changes = chance(25) ? " { #{attribute(type.downcase, operators: true)} }" : ''
      "#{type} #{open} #{chance(35) ? '' : query} #{close}#{changes}"
    end

    def query
      text = "#{pick(%w[title tag tag message mode noop p alias name])} #{pick(%w[== == == !=])} #{pick([quoted(pick(TITLES + TAGS)), 'true', reference])}"
      chance(20) ? "(#{text}) #{pick(%w[and or])} #{query}" : text
    end

    def chain
      (1..@random.rand(1..2)).inject(operand) { |text, _| "#{text} #{pick(%w[-> -> ~> <- <~])} #{operand}" }
    end

    def operand
      case @random.rand(20)
      when 0...11 then reference
      when 11...13 then "[#{list_of(0..2) { reference }.join(', ')}]"
      when 13...16 then collector
      when 16...19 then resource
      else @spoils ? pick(['$v', quoted('Notify[a]'), '1', 'undef']) : reference
      end
    end

    def class_statement
      name = chance(97) && !@classes.empty? ? pick(@classes) : pick(%w[nosuch c1])
      case @random.rand(10)
      when 0...4 then "include #{chance(15) ? pick(["#{name}, #{name}", "::#{name}", "Class['#{name}']", "['#{name}']"]) : name}"
      when 4, 5 then "contain #{name}"
      when 6 then "require #{name}"
      else "class { '#{name}': #{attributes_of_class} }"
      end
    end

    def attributes_of_class
      list_of(0..1) { chance(50) ? "#{pick(PARAMETERS)} => #{value}" : attribute('class') }.join(', ')
    end

    def create_resources
      type = chance(30) && !@defines.empty? ? pick(@defines) : pick(%w[notify notify file @notify @@notify class])
      plain = type.delete('@')
      pairs = list_of(0..2) do
        title = plain == 'class' ? quoted(pick(CLASSES)) : title(plain)
        "#{title} => { #{list_of(0..1) { attribute(plain) }.join(', ').sub('* =>', "'q' =>")} }"
      end
      defaults = chance(25) ? ", { #{list_of(0..1) { attribute(plain) }.join(', ').sub('* =>', "'q' =>")} }" : ''
      "create_resources('#{type}', { #{pairs.join(', ')} }#{defaults})"
    end

    # --- references and values ---

    def reference_type
      return 'Class' if chance(6)
      known = @declared.keys - ['class']
      type = known.empty? || chance(@spoils ? 20 : 3) ? pick(TYPES) : pick(known)
      type.split('::').map(&:capitalize).join('::')
    end

    def reference(type = nil)
      type ||= chance(20) ? 'Class' : reference_type
      titles = list_of(chance(92) ? 1..1 : 2..2) { reference_title(type) }
      "#{type}[#{titles.join(', ')}]"
    end

    def reference_title(type)
      return chance(97) ? quoted(pick(@classes.empty? ? ['settings'] : @classes)) : "'nosuch'" if type == 'Class'
      known = @declared[type.downcase]
      return pick(known) unless known.empty? || chance(@spoils ? 20 : 2)
      new_title(type.downcase)
    end

    def value
      case @random.rand(30)
      when 0...9 then quoted(pick(%w[one two red x]))
      when 9...11 then @random.rand(5).to_s
      when 11 then 'undef'
      when 12 then pick(%w[true false])
      when 13...15 then "[#{list_of(0..2) { value }.join(', ')}]"
      when 15...17 then "{ #{quoted(pick(%w[k l]))} => #{value} }"
      when 17, 18 then reference
      when 19, 20 then "Sensitive(#{value})"
      when 21 then "Deferred('split', [#{value}])"
      when 22 then pick(['/x/', 'default', 'Integer', "SemVer('1.2.3')", "Timespan(5)", 'String[1]', 'Binary("aGk=")'])
      when 23...26 then @spoils ? pick(%w[$v $p]) : pick(%w[$title $name])
      when 26 then "\"${#{pick(@spoils ? %w[title v name p] : %w[title name])}}-s\""
      when 27 then @spoils ? "$#{pick(CLASSES)}::#{pick(PARAMETERS)}" : value
      else quoted(pick(TITLES))
      end
    end

    def quoted(text)
      "'#{text}'"
    end
  end
end
