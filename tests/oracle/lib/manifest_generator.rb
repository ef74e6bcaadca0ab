require_relative 'manifest_values'

# Writes random manifests: classes, defines, resources and everything that modifies them. The generator tracks names
# and references, so that most manifests compile; some contain deliberate mistakes.
module Oracle
  class ManifestGenerator
    include ManifestValues

    # The data for lookups.
    DATA = { 'a_text' => 'text', 'a_list' => [1, 'two'], 'a_hash' => { 'k' => 'v' },
             'c1::s0' => 'looked up', 'c2::s1' => 'looked up', 'c4::s1' => 'secret', 'c3::s2' => "%{title}-data", 'm::c5::s0' => nil,
             'lookup_options' => { 'c4::s1' => { 'convert_to' => 'Sensitive' } } }.freeze
    CLASSES = %w[c1 c2 c3 c4 m::c5].freeze
    DEFINES = %w[d1 d2 m::d3].freeze
    TYPES = ['notify'] * 7 + ['file'] * 3 + %w[user exec group package service schedule].freeze

    # Attributes that set another name of a resource.
    NAMING = %w[name path alias command].freeze

    # A resource that will be in the catalog. References to it may be written anywhere, once it is
    # live.
    Item = Struct.new(:type, :title, :form, :set, :shown)
    # A class, a define or the main body ("").
    Block = Struct.new(:name, :kind, :parent, :parameters, :items, :includes, :style)
    Parameter = Struct.new(:name, :type, :required)

    def initialize(seed)
      @random = Random.new(seed)
    end

    def next_manifest
      @flaws = chance(50) ? @random.rand(1..2) : 0
      @number = 0
      @variables = []
      plan
      definitions = (@classes + @defines).map { |block| definition(block) } << FUNCTION
      body = main_body
      (chance(50) ? definitions + body : body + definitions).join("\n")
    end

    private

    FUNCTION = 'function make($t) { notify { "made-${t}": message => $t } }'.freeze

    # Whether to make a deliberate mistake.
    def flaw?(percent)
      return false unless @flaws.positive? && @random.rand(300) < percent
      @flaws -= 1
      true
    end

    def fresh(text)
      "#{text}#{@number += 1}"
    end

    def fresh_quoted(text)
      return quoted("#{text}1") if flaw?(8)
      @block.kind == 'define' ? "\"#{fresh(text)}-${title}\"" : quoted(fresh(text))
    end

    # --- declared items ---

    def plan
      @defines = DEFINES.select { chance(65) }.map { |name| Block.new(name, 'define', nil, parameters, [], [], nil) }
      @classes = []
      CLASSES.each { |name| @classes << plan_class(name) if chance(70) }
      @main = Block.new('', 'main', nil, [], [], [], nil)
      @stage = chance(15) ? 's1' : nil
      @main.includes = @classes.select { chance(75) }
      @defines.each_with_index { |block, at| add_items(block, 0..3, @defines[0...at]) }
      @classes.each { |block| add_items(block, 0..4, @defines) }
      add_items(@main, 2..6, @defines)
      @live = live_items
      @live_classes = reached
    end

    def plan_class(name)
      earlier = @classes.select { |block| block.style == :included }
      parent = pick(earlier) if !earlier.empty? && chance(40)
      includes = earlier.select { chance(15) }
      Block.new(name, 'class', parent, parameters, [], includes, chance(65) ? :included : :declared)
    end

    def parameters
      Array.new(@random.rand(0..3)) do |at|
        type = chance(45) ? pick(KINDS.keys) : nil
        Parameter.new("#{type.nil? || type == 'String' ? 's' : 'p'}#{at}", type, chance(20))
      end
    end

    def add_items(block, range, defines)
      list_of(range) do
        type = chance(22) && !defines.empty? ? pick(defines).name : pick(TYPES)
        form = chance(14) ? pick(%w[@ @ @@]) : ''
        title = title_for(type, block)
        block.items << Item.new(type, title, form, [], block.kind != 'main' && (block.kind == 'define' || chance(15)) ? "\"#{title.sub(shown_title(block), '${title}')}\"" : quoted(title))
      end
    end

    def shown_title(block)
      block.kind == 'define' ? '%TITLE%' : block.name.empty? ? 'main' : block.name
    end

    def title_for(type, block)
      number = @number += 1
      number = 1 if flaw?(3)
      here = block.kind == 'define' || chance(30) ? "#{shown_title(block)}-#{number}" : "#{pick(%w[a b A x])}#{number}"
      %w[file exec].include?(type) ? "/t/#{here}" : here
    end

    def reached
      found = []
      queue = @main.includes.dup
      until queue.empty?
        block = queue.shift
        next if found.include?(block)
        found << block
        queue.concat(block.includes + [block.parent].compact)
      end
      found
    end

    # Resources in defines exist once for each instance.
    def live_items
      (reached + [@main]).flat_map(&:items).flat_map { |item| [item, *contents(item, item.title)] }
    end

    def contents(item, title)
      block = @defines.find { |define| define.name == item.type }
      return [] if block.nil? || item.form != ''
      block.items.flat_map do |inner|
        made = Item.new(inner.type, inner.title.sub('%TITLE%') { title }, inner.form, [])
        [made, *contents(made, made.title)]
      end
    end

    # --- references ---

    def reference_to(item)
      "#{capitalized(item.type)}['#{item.title}']"
    end

    def capitalized(type)
      type.split('::').map(&:capitalize).join('::')
    end

    def reference
      return pick(["Class['nosuch']", "Notify['nosuch']", "Nosuch['x']", "File['/t/nosuch']", 'Notify', "Notify['a', 'b']"]) if flaw?(5)
      return "Class['#{pick(@live_classes).name}']" if !@live_classes.empty? && chance(15)
      return 'Class[settings]' if @live.empty?
      first = pick(@live)
      return reference_to(first) if chance(94)
      "#{capitalized(first.type)}['#{first.title}', '#{pick(@live.select { |item| item.type == first.type }).title}']"
    end

    # --- definitions ---

    def definition(block)
      @block = block
      @variables = block.parameters.map(&:name)
      @defaults = []
      @done = []
      defaults = block.parameters.map { |parameter| parameter_text(parameter, block) }
      head = "#{block.kind} #{block.name}(#{defaults.join(', ')})#{" inherits #{block.parent.name}" if block.parent}"
      "#{head} {\n#{indented(body_of(block))}\n}"
    end

    def parameter_text(parameter, block)
      return "#{parameter.type} $#{parameter.name}".strip if parameter.required && (block.kind == 'define' || block.style == :declared)
      known = @variables
      @variables = []
      text = "#{parameter.type} $#{parameter.name} = #{parameter.type ? value_of(parameter.type) : text()}".strip
      @variables = known
      text
    end

    def indented(lines)
      lines.flat_map { |line| line.split("\n") }.map { |line| "  #{line}" }.join("\n")
    end

    def main_body
      @block = @main
      @variables = []
      @defaults = []
      @done = []
      lines = []
      lines << "stage { '#{@stage}': before => Stage['main'] }" if @stage
      @main.includes.each { |block| lines << (block.style == :declared ? class_declaration(block) : include_of(block)) }
      lines.concat(body_of(@main))
      return lines unless chance(12)
      ["node #{pick(['default', "'node.example.com'", '/^node/', "/x/, 'Node.Example.com'"])} {", indented(lines), '}']
    end

    # Declarations in order, interleaved with other statements.
    def body_of(block)
      waiting = block.items.dup
      lines = block.kind == 'main' ? [] : block.includes.map { |included| included.style == :included ? include_of(included) : '' }
      until waiting.empty? && chance(45)
        if chance(50) && !waiting.empty?
          item = waiting.shift
          lines << declaration(item)
          @done << item
        else
          lines << statement(0)
        end
      end
      lines.reject(&:empty?)
    end

    # --- declarations ---

    def declaration(item)
      return create_resources(item) if chance(7) && !item.shown.include?('${')
      type = item.type
      type = pick(%w[nosuch m::nosuch c1]) if flaw?(2)
      text = attributes(item)
      shown = chance(94) || item.set.intersect?(NAMING) ? item.shown : pick(["[#{item.shown}]", "[[#{item.shown}], []]", "[#{item.shown}, #{fresh_quoted('more')}]"])
      shown = pick(['undef', '1', "''", "['a1', 'a1']", 'Sensitive(1)', '$nosuch']) if flaw?(2)
      bodies = ["#{shown}: #{text}"]
      bodies << "#{fresh_quoted(%w[file exec].include?(type) ? '/t/n' : 'n')}: #{attributes(Item.new(item.type, '', '', []))}" if chance(8)
      bodies << default_body(item) if chance(8)
      head = chance(4) ? "Resource['#{type}']" : type
      head = "::#{type}" if chance(4) && @defines.any? { |block| block.name == type }
      "#{item.form}#{head} { #{bodies.shuffle(random: @random).join('; ')} }"
    end

    def default_body(item)
      same = Item.new(item.type, '', '', item.set)
      "default: #{attributes(same, all: false)}"
    end

    def attributes(item, all: true)
      names = some_names(item.type) - item.set
      names -= NAMING unless all
      names |= parameters_of(item.type).select(&:required).map(&:name) if all && !flaw?(6)
      item.set.concat(names)
      hashed = chance(8) ? names.select { chance(50) } : []
      given = (names - hashed).map { |name| "#{name} => #{value_of_attribute(item.type, name)}" }
      given << "* => { #{hashed.map { |name| "'#{name}' => #{value_of_attribute(item.type, name)}" }.join(', ')} }" unless hashed.empty?
      given.join(', ')
    end

    def some_names(type)
      list_of(0..3) { chance(50) ? own_name(type) : pick(METAPARAMETERS) }.compact.uniq
    end

    def own_name(type)
      return 'nosuch' if flaw?(2)
      pick(ATTRIBUTES[type] || parameters_of(type).map(&:name).then { |names| names.empty? ? [nil] : names })
    end

    def parameters_of(type)
      @defines.find { |block| block.name == type }&.parameters || []
    end

    def value_of_attribute(type, name)
      parameter = parameters_of(type).find { |known| known.name == name }
      return value_for(name) unless parameter
      parameter.type ? value_of(parameter.type) : text
    end

    def create_resources(item)
      type = flaw?(3) ? 'nosuch' : item.form + item.type
      entry = "'#{item.title}' => { #{hash_of(attributes(item))} }"
      defaults = chance(30) ? ", { #{hash_of(attributes(Item.new(item.type, '', '', []), all: false))} }" : ''
      "create_resources('#{type}', { #{entry} }#{defaults})"
    end

    def hash_of(attributes)
      attributes.gsub(/(\A|, )(\w+) =>/, "\\1'\\2' =>").gsub(/,? ?\* => \{.*\}\z/, '')
    end

    def class_declaration(block)
      given = block.parameters.select { |parameter| (parameter.required && !flaw?(6)) || chance(40) }
      texts = given.map { |parameter| "#{parameter.name} => #{parameter.type ? value_of(parameter.type) : text}" }
      texts << "stage => '#{@stage || 'main'}'" if chance(@stage ? 60 : 3)
      list_of(0..2) { pick(METAPARAMETERS) }.uniq.each { |name| texts << "#{name} => #{value_for(name)}" unless name == 'alias' }
      return "create_resources('class', { '#{block.name}' => { #{texts.map { |text| text.sub(/\A(\w+)/, "'\\1'") }.join(', ')} } })" if chance(12)
      "class { '#{block.name}': #{texts.join(', ')} }"
    end

    def include_of(block)
      name = flaw?(2) ? 'nosuch' : block.name
      call = pick(%w[include include include contain require])
      call = 'include' if call == 'require' && @block.kind == 'main'
      "#{call} #{chance(75) ? name : pick(["::#{name}", "Class['#{name}']", "['#{name}']", "'#{name}', '#{name}'"])}"
    end

    # --- statements ---

    def statement(depth)
      case @random.rand(100)
      when 0...12 then override
      when 12...20 then defaults
      when 20...36 then collector
      when 36...52 then chain
      when 52...58 then realize
      when 58...62 then "tag(#{list_of(1..2) { quoted(pick(TAGS)) }.join(', ')})"
      when 62...74 then question
      when 74...80 then assignment
      when 80...83 then "make('#{fresh('f')}')"
      when 83...86 then inclusion
      when 86...90 then resource_alone
      else depth < 2 ? control(depth) : question
      end
    end

    def inclusion
      block = pick(@classes.select { |known| known.style == :included || flaw?(30) } + [nil])
      block.nil? || !@live_classes.include?(block) ? question : include_of(block)
    end

    def resource_alone
      type = pick(TYPES)
      title = title_for(type, @block).sub('%TITLE%', '${title}')
      "#{pick(['', '', '', '@'])}#{type} { \"#{title}\": #{attributes(Item.new(type, '', '', []))} }"
    end

    def assignment
      name = flaw?(6) && !@variables.empty? ? pick(@variables) : fresh('v')
      text = "$#{name} = #{value}"
      @variables |= [name]
      text
    end

    def control(depth)
      known = @variables.dup
      inner = statement(depth + 1)
      text = pick([
        -> { "if #{condition} { #{inner} } else { #{statement(depth + 1)} }" },
        -> { "unless #{condition} { #{inner} }" },
        -> { t = fresh('each'); "[1, 2].each |$i| { notify { \"#{@block.kind == 'define' ? '${title}-' : ''}#{t}-${i}\": #{attributes(Item.new('notify', '', '', []), all: false)} } }" },
        -> { "case #{value} { #{value}: { #{inner} } default: { } }" },
        -> { "with(#{value}) |$z| { #{inner} }" },
        -> { "$#{fresh('r')} = #{inner.match?(/\A[a-z]+ \{/) ? inner : text()}" }
      ]).call
      @variables = known
      text
    end

    def condition
      pick([-> { "defined(#{reference})" }, -> { "tagged(#{quoted(pick(TAGS))})" }, -> { "defined(#{quoted(pick(CLASSES))})" },
            -> { "(#{value}) == #{value}" }, -> { "#{text} =~ /#{pick(%w[o x $ ^a])}/" }, -> { truth }]).call
    end

    def question
      pick([
        -> { @done.empty? ? 'notice($title)' : "notice(#{own_reference(pick(@done))}[#{pick(%w[message noop tag name title require before]).then { |name| flaw?(15) ? 'nosuch' : attribute_known(name) }}])" },
        -> { "notice(defined(#{reference}), tagged(#{quoted(pick(TAGS))}))" },
        -> { "notice($title, $name, $module_name, #{pick(%w[getvar('c1::s0') getvar('nosuch') 1])})" },
        -> { "notice(#{value})" },
        -> { "notice(#{reference})" },
        -> { flaw?(20) ? 'notice($nosuch)' : "notice(#{@variables.empty? ? "'x'" : "$#{pick(@variables)}"})" },
        -> { other = pick([*@live_classes, nil]); other && !other.parameters.empty? && flaw?(60) ? "notice($#{other.name}::#{other.parameters.first.name})" : 'notice($trusted)' }
      ]).call
    end

    # Not every type has the attributes `message` and `title`.
    def attribute_known(name)
      %w[message title].include?(name) ? 'tag' : name
    end

    def own_reference(item)
      "#{capitalized(item.type)}[#{item.shown}]"
    end

    # Overrides attributes that are not set yet in this block's own resources, and any in those of
    # the parents.
    def override
      inherited = @block.kind == 'class' && @block.parent ? @block.parent.items : []
      candidates = inherited + @block.items.reject { |item| item.form == '' && @defines.any? { |block| block.name == item.type } }
      return question if candidates.empty?
      item = flaw?(10) && !@live.empty? ? pick(@live) : pick(candidates)
      names = some_names(item.type) - NAMING
      names -= item.set unless inherited.include?(item) || flaw?(20)
      return question if names.empty?
      item.set.concat(names)
      shown = item.shown || quoted(item.title)
      shown = quoted(item.title) if inherited.include?(item)
      changes = names.map { |name| "#{name} #{chance(30) ? '+>' : '=>'} #{value_of_attribute(item.type, name)}" }
      "#{capitalized(item.type)}[#{shown}] { #{changes.join(', ')} }"
    end

    def defaults
      type = @live.empty? ? 'notify' : pick(@live).type
      names = some_names(type) - NAMING
      names.reject! { |name| @defaults.include?([type, name]) } unless flaw?(20)
      return question if names.empty?
      names.each { |name| @defaults << [type, name] }
      "#{capitalized(type)} { #{names.map { |name| "#{name} => #{value_of_attribute(type, name)}" }.join(', ')} }"
    end

    def collector
      type = @live.empty? ? 'notify' : pick(@live).type
      shown = capitalized(type)
      shown = pick(%w[Nosuch Class Stage]) if flaw?(3)
      open, close = chance(12) ? %w[<<| |>>] : %w[<| |>]
      names = chance(30) ? some_names(type) - NAMING : []
      names = [] if @defines.any? { |block| block.name == type } && !flaw?(20)
      changes = names.map { |name| "#{name} #{chance(30) ? '+>' : '=>'} #{value_of_attribute(type, name)}" }
      "#{shown} #{open} #{chance(30) ? '' : query(type)} #{close}#{" { #{changes.join(', ')} }" unless changes.empty?}"
    end

    def query(type)
      left = pick(%w[title title tag tag noop alias name loglevel require] + (ATTRIBUTES[type] || []))
      right = case left
              when 'title' then same = @live.select { |item| item.type == type }; quoted(same.empty? ? 'x' : pick(same).title)
              when 'tag' then flaw?(10) ? "['t1', 't2']" : quoted(pick(TAGS))
              else pick([quoted(pick(%w[one x debug])), 'true', '1', 'undef', single_reference])
              end
      right = '[1]' if flaw?(3) && left == 'title'
      text = "#{left} #{pick(%w[== == == !=])} #{right}"
      text = "(#{text})" if chance(15)
      chance(25) ? "#{text} #{pick(%w[and or])} #{query(type)}" : text
    end

    def single_reference
      @live.empty? ? "'x'" : reference_to(pick(@live))
    end

    def chain
      (1..@random.rand(1..3)).inject(operand) { |text, _| "#{text} #{pick(%w[-> -> ~> <- <~])} #{operand}" }
    end

    def operand
      case @random.rand(20)
      when 0...9 then reference
      when 9...12 then "[#{list_of(0..3) { flaw?(4) ? collector : reference }.join(', ')}]"
      when 12...15 then collector
      when 15...18 then resource_alone
      when 18 then chance(60) ? '[]' : "[[#{reference}], []]"
      else flaw?(50) ? pick(['$nosuch', quoted('Notify[a]'), '1', 'undef', 'Integer', 'Notify']) : reference
      end
    end

    def realize
      virtual = @live.reject { |item| item.form == '' || @defines.any? { |block| block.name == item.type } }
      return collector if virtual.empty?
      "realize(#{list_of(1..2) { flaw?(10) ? reference : reference_to(pick(virtual)) }.join(', ')})"
    end
  end
end
