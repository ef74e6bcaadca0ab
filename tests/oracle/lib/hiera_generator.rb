require 'fileutils'
require 'json'
require_relative 'random_choice'

# Writes random hierarchies: a global layer, an environment and two modules, with data in YAML and
# JSON, interpolations, options and functions; and generates random lookups for them.
module Oracle
  class HieraGenerator
    include RandomChoice

    FACTS = {
      'role' => 'web', 'site' => 'north', 'empty' => '', 'nothing' => nil, 'number' => 7,
      'os' => { 'family' => 'Debian', 'release' => { 'major' => '12' } },
      'list' => %w[red blue], 'dotted.fact' => { 'x' => 'y' }, 'recursive' => '%{role}',
      'pairs' => { 'one' => 'red', 'two' => 'blue' }
    }.freeze
    ROOTS = %w[a b c d e f g].freeze
    MODULES = %w[m n].freeze
    HASH_KEYS = %w[x y z].freeze
    WORDS = %w[red blue green --red --blue x y].freeze
    VARIABLES = ['role', '::role', 'facts.role', 'facts.os.family', 'facts.os.release.major', 'facts.list.0',
                 'facts.list', 'facts.os', 'facts.number', 'facts.nosuch', 'facts.os.nosuch.deeper', 'trusted.certname',
                 '::facts.os.family', 'environment', 'empty', 'nothing', 'recursive', "facts.'dotted.fact'.x",
                 'facts.role.deeper', 'facts.list.7', 'server_facts.environment', ' role ', '::environment',
                 'facts.list.x', 'facts.1', '::trusted.certname', '"role"', "'role'"].freeze

    def initialize(seed)
      @random = Random.new(seed)
    end

    # Writes everything below `directory`; the environment is environments/e. Some of the environments
    # contain a mistake, which causes most lookups to fail.
    def write(directory)
      @is_spoiled = chance(12)
      @environment = File.join(directory, 'environments', 'e')
      layer(directory, :global, nil) unless chance(20)
      layer(@environment, :environment, nil) unless chance(5)
      MODULES.each { |name| write_module(name) }
      write_functions('environment', File.join(@environment, 'functions/environment'))
      File.write(File.join(@environment, 'environment.conf'), "modulepath = modules\n")
      FileUtils.mkdir_p(File.join(@environment, 'manifests'))
    end

    # Code that performs a lookup.
    def query
      case @random.rand(12)
      when 0 then "#{pick(%w[hiera hiera_array hiera_hash])}(#{quoted(key)}#{chance(40) ? ", #{literal}" : ''})"
      when 1 then "lookup([#{Array.new(@random.rand(1..3)) { quoted(key) }.join(', ')}]#{rest})"
      when 2, 3 then "lookup(#{quoted(key)}, {#{options_hash}})"
      when 4 then "lookup(#{quoted(key)}#{rest(most: 2)}) |$key| { \"no ${key}\" }"
      else "lookup(#{quoted(key)}#{rest})"
      end
    end

    # A key, and a merge strategy for it.
    def plain_query
      [key, chance(30) ? pick(%w[first unique hash deep]) : nil]
    end

    private

    def some(list, most)
      list.sample(@random.rand(1..[most, list.size].min), random: @random)
    end

    def quoted(text)
      text.include?("'") ? "\"#{text}\"" : "'#{text}'"
    end

    # --- lookups ---

    def root_key
      return pick(['quoted.key', 'nosuch', 'm::nosuch', 'nomodule::a', 'lookup_options', 'M::a', '::a']) if chance(6)
      pick(ROOTS + ROOTS + MODULES.flat_map { |name| ROOTS.map { |root| "#{name}::#{root}" } })
    end

    def key
      return pick(['a..b', 'a.', '.a', '', "a.'x", "'quoted.key'", "'quoted.key'.x", 'lookup_options.a', 'a.-1', 'a.x.']) if chance(5)
      root = root_key
      return root unless chance(25)
      "#{root}.#{Array.new(@random.rand(1..2)) { pick(HASH_KEYS + %w[0 1 nosuch 'x' "y"]) }.join('.')}"
    end

    def rest(most: 3)
      return '' if chance(40)
      text = ", #{value_type}"
      return text unless chance(60)
      text << ", #{merge_code}"
      text << ", #{literal}" if most > 2 && chance(30)
      text
    end

    def options_hash
      options = some(%w[merge default_value override default_values_hash value_type], 3)
      options << 'name' if chance(2)
      options.map do |option|
        value = case option
                when 'merge' then merge_code
                when 'value_type' then value_type
                when 'name' then quoted(key)
                when 'default_value' then literal
                else "{#{quoted(root_key)} => #{literal}, 'role' => 'overridden'}"
                end
        "'#{option}' => #{value}"
      end.join(', ')
    end

    def value_type
      chance(75) ? 'Any' : pick(%w[String Integer Hash Array[String] Hash[String,Data] Scalar Array undef Optional[String]])
    end

    def literal
      pick(["'given'", '1', 'undef', "['red', 2]", "{'x' => 'given'}", "'%{role}'", 'false'])
    end

    def merge_code
      return pick(["'wrong'", "{'strategy' => 'wrong'}", "{'x' => 1}", '1', "{'strategy' => 'hash', 'x' => 1}"]) if chance(4)
      merge = merge_option
      merge.is_a?(String) ? "'#{merge}'" : "{#{merge.map { |name, value| "'#{name}' => #{value.is_a?(String) ? "'#{value}'" : value}" }.join(', ')}}"
    end

    def merge_option
      return pick(%w[first unique hash deep unique deep hash default reverse_deep unconstrained_deep]) if chance(50)
      merge = { 'strategy' => pick(%w[deep deep deep deep hash unique first reverse_deep unconstrained_deep]) }
      return merge unless merge['strategy'].end_with?('deep')
      merge['knockout_prefix'] = pick(['--', '--', '-', '']) if chance(60)
      merge['sort_merged_arrays'] = chance(70) if chance(50)
      merge['merge_hash_arrays'] = chance(80) if chance(50)
      merge['sort_merge_arrays'] = true if chance(2)
      merge
    end

    # --- hiera.yaml ---

    def layer(directory, kind, name)
      @kind = kind
      @prefix = name ? "#{name}::" : ''
      FileUtils.mkdir_p(directory)
      config = { 'version' => 5 }
      config['defaults'] = defaults if chance(40)
      config['hierarchy'] = hierarchy(directory, config['defaults'], 'level') unless chance(6)
      if kind == :module && chance(40)
        config['default_hierarchy'] = hierarchy(directory, config['defaults'], 'default')
      end
      spoil(config) if @is_spoiled && chance(50)
      File.write(File.join(directory, 'hiera.yaml'), yaml_of_config(config))
      data_file(File.join(directory, 'data', 'common.yaml')) unless config['hierarchy']
    end

    def yaml_of_config(config)
      config.map do |name, value|
        next "#{name}: #{JSON.generate(value)}\n" unless value.is_a?(Array)
        "#{name}:\n" + value.map { |entry| "  - #{entry.map { |k, v| "#{k}: #{JSON.generate(v)}\n" }.join('    ')}" }.join
      end.join
    end

    def spoil(config)
      entry = (config['hierarchy'] || []).last
      case @random.rand(9)
      when 0 then config['version'] = pick([4, 6, '5', nil])
      when 1 then config['unknown'] = 1
      when 2 then config['default_hierarchy'] = [{ 'name' => 'd', 'path' => 'x.yaml' }]
      when 3 then entry&.store('name', 'level 0')
      when 4 then entry&.store('lookup_key', 'environment::key')
      when 5 then entry&.store('glob', '*.yaml')
      when 6 then entry&.store('options', { 'path' => 'x' })
      when 7 then entry&.store('hiera3_backend', pick(%w[yaml json]))
      else entry&.store('data_hash', pick(%w[nosuch environment::nosuch m::nosuch notice]))
      end
    end

    def defaults
      result = {}
      result['datadir'] = pick(['data', 'other', 'data/%{role}']) if chance(60)
      result['data_hash'] = pick(%w[yaml_data yaml_data json_data]) if chance(80) || result.empty?
      result
    end

    def hierarchy(directory, defaults, name)
      Array.new(@random.rand(1..4)) { |i| { 'name' => "#{name} #{i}" }.merge(entry(directory, defaults || {}, "#{name}#{i}")) }
    end

    def entry(directory, defaults, name)
      return function_entry if chance(18)
      result = {}
      result['datadir'] = pick(%w[data more]) if chance(20)
      format = defaults['data_hash'] == 'json_data' ? 'json' : 'yaml'
      if chance(20) || (!defaults.empty? && !defaults['data_hash'])
        format = pick(%w[yaml json])
        result['data_hash'] = "#{format}_data"
      end
      datadir = result['datadir'] || defaults['datadir'] || 'data'
      locations(result, format, name) { |path| data_file(File.join(directory, datadir.sub('%{role}', 'web'), path)) }
      result
    end

    def locations(result, format, name)
      case @random.rand(10)
      when 0..3
        stored, written = varied_path(name, format)
        result['path'] = written
        yield stored unless chance(10)
      when 4, 5
        paths = Array.new(@random.rand(1..3)) { |i| varied_path("#{name}-#{i}", format) }
        result['paths'] = paths.map(&:last)
        paths.each { |stored, _| yield stored unless chance(15) }
      when 6, 7
        %w[1 2 z].each { |part| yield "#{name}/#{part}.#{format}" unless chance(20) }
        result.merge!(chance(50) ? { 'glob' => "#{name}/*.#{format}" } : { 'globs' => ["#{name}/{1,z}.#{format}", "#{name}/[2-3].#{format}", '%{role}/**/nothing.yaml'] })
      else
        result['mapped_paths'] = pick([['facts.list', 'item', "#{name}-%{item}.#{format}"], ['facts.pairs', 'item', "#{name}-%{item.1}.#{format}"],
                                       ['role', 'item', "#{name}-%{item}-%{site}.#{format}"], ['facts.nosuch', 'item', "#{name}-%{item}.#{format}"]])
        %w[red blue web-north].each { |item| yield "#{name}-#{item}.#{format}" unless chance(20) }
      end
    end

    # The name of a file, and a notation for it in hiera.yaml.
    def varied_path(name, format)
      variable, value = pick([['', ''], ['%{role}', 'web'], ['%{facts.os.family}', 'Debian'], ['%{::site}', 'north'],
                              ['%{trusted.certname}', 'node.example.com'], ['%{facts.nosuch}', ''], ["%{facts.list.1}", 'blue'],
                              ['', ''], ['', '']])
      variable, value = ['%{nosuch}', 'nosuch'] if @is_spoiled && chance(10)
      variable, value = ["%{lookup('a')}", 'nosuch'] if @is_spoiled && chance(5)
      ["#{name}#{value}.#{format}", "#{name}#{variable}.#{format}"]
    end

    def function_entry
      kind = pick(%w[data_hash lookup_key data_dig])
      owner = @prefix.empty? ? 'environment' : @prefix.delete(':')
      result = { kind => "#{owner}::#{kind}" }
      result['options'] = { 'given' => pick(['%{role}', 'plain', ['x', '%{site}']]), 'prefix' => @prefix } unless chance(20)
      result.merge!(pick([{ 'uri' => 'http://%{role}/x' }, { 'path' => 'level.yaml' }, { 'path' => 'a//../%{role}/./b' }])) if chance(25)
      result['uris'] = ['one:%{role}', 'two:/x'] if result.size < 3 && chance(20)
      result
    end

    # --- modules and functions ---

    def write_module(name)
      directory = File.join(@environment, 'modules', name)
      FileUtils.mkdir_p(directory)
      layer(directory, :module, name) unless chance(20)
      write_functions(name, File.join(directory, 'functions'))
    end

    def write_functions(owner, directory)
      FileUtils.mkdir_p(directory)
      { 'data_hash' => <<~CODE, 'lookup_key' => <<~KEY, 'data_dig' => <<~DIG }.each do |name, code|
        function #{owner}::data_hash(Hash $options, $context) {
          $prefix = "${options['prefix']}"
          $data = { "${prefix}a" => {'x' => "from ${options['given']}", 'y' => ['red', 'blue']},
            "${prefix}d" => "%{role} ${options['path']}${options['uri']}", "${prefix}e" => ['%{site}', 'green'] }
          $data
        }
      CODE
        function #{owner}::lookup_key(String $key, Hash $options, $context) {
          $context.explain() || { "asked for ${key}" }
          case $key {
            /(^|::)b$/: { $data = {'y' => {'x' => "key ${options['given']}"}, 'z' => [1, 2]} $data }
            /(^|::)c$/: { $context.interpolate("of %{role} ${options['path']}${options['uri']}") }
            /(^|::)e$/: { if $context.cache_has_key($key) { $context.cached_value($key) } else { $context.cache($key, ['red', $key]) } }
            /(^|::)g$/: { undef }
            default: { $context.not_found }
          }
        }
      KEY
        function #{owner}::data_dig(Array $segments, Hash $options, $context) {
          case $segments[0] {
            /(^|::)a$/: { if $segments.length > 1 { "dug ${segments.join('/')}" } else { $data = {'x' => {'y' => 'whole'}} $data } }
            /(^|::)f$/: { ['f', "${options['given']}"] }
            default: { $context.not_found() }
          }
        }
      DIG
        File.write(File.join(directory, "#{name}.pp"), code)
      end
    end

    # --- data ---

    def data_file(path)
      FileUtils.mkdir_p(File.dirname(path))
      @json = path.end_with?('.json')
      return File.write(path, pick(['', "# nothing\n", "- 1\n", "just text\n", "a: [1\n", "a: 1\nb\n", "--- {}\n"])) if @is_spoiled && chance(15)
      File.write(path, @json ? json_data : yaml_data)
    end

    def yaml_data
      entries = data_entries.map { |name, value| "#{name}: #{value}\n" }
      entries << "quoted.key: {x: 1}\n" if chance(20)
      entries << "anchored: &anchor {x: 1, y: 2}\n#{@prefix}f: {<<: *anchor, z: 3}\n" if chance(6)
      entries << "lookup_options: #{lookup_options}\n" if chance(35)
      "#{chance(50) ? "---\n" : ''}#{entries.join}"
    end

    def json_data
      entries = data_entries.map { |name, value| "#{JSON.generate(name)}: #{value}" }
      entries << "\"lookup_options\": #{lookup_options}" if chance(25)
      "{#{entries.join(', ')}}"
    end

    def data_entries
      names = some(ROOTS, 5).map { |root| "#{@prefix}#{root}" }
      names << pick(%w[a m::a n::b]) if chance(@kind == :module ? 4 : 30)
      names.uniq.to_h { |name| [name, shaped_value(name[-1])] }
    end

    # Most values of a key have the same shape, so that merging them makes sense.
    def shaped_value(root)
      @root = root
      shape = { 'a' => :hash, 'b' => :hash, 'e' => :array, 'f' => :array, 'c' => :scalar, 'd' => :scalar }[root]
      shape = nil if chance(12)
      value(shape || pick(%i[hash array scalar]), 0)
    end

    def value(shape, depth)
      deeper = -> { value(depth > 2 ? :scalar : pick(%i[scalar scalar hash array]), depth + 1) }
      case shape
      when :hash
        keys = some(HASH_KEYS + (chance(8) ? ['%{role}', "k %{lookup('c')}"] : []) + (!@json && chance(5) ? %w[1 true ~] : []), 3)
        "{#{keys.map { |name| "#{key_text(name)}: #{deeper.call}" }.join(', ')}}"
      when :array then "[#{Array.new(@random.rand(4)) { chance(50) ? scalar : deeper.call }.join(', ')}]"
      else scalar
      end
    end

    def key_text(name)
      @json || name.include?('%') ? JSON.generate(name) : name
    end

    def scalar
      return interpolation if chance(22)
      word = pick(WORDS)
      return @json || chance(50) ? JSON.generate(word) : word if chance(60)
      return pick(%w[1 2 3.5 -7 true false null 1e3 ""]) if @json
      pick(%w[1 2 3.5 -7 true false null ~ yes no on off 010 0x1F 1_000 1e3 .5 1. +3 1:30 "" '' 0o17 12345678901 1.0e+10 0b11
              12:30:45 =]
          .concat(["'it''s'", '"tab\\there"', '"\\u00e5"', '!!str 5', '!!int "5"', 'two words', ':sym', '2001-01-01', 'å', '10_000.5']
                  .sample(4, random: @random)).reject { |text| text == '2001-01-01' && !chance(5) || text == ':sym' && !chance(30) })
    end

    def interpolation
      JSON.generate(interpolation_text).gsub('\\"', @json ? '\\"' : '\\"')
    end

    def interpolation_text
      case @random.rand(14)
      when 0..4 then "#{pick(['', 'a '])}%{#{pick(VARIABLES)}}#{pick(['', ' b', '-%{site}'])}"
      when 5, 6 then "#{pick(['', 'got '])}%{#{pick(%w[lookup hiera])}('#{inner_key}')}"
      when 7, 8 then "%{alias('#{inner_key}')}"
      when 9 then "%{alias(\"#{inner_key}\")}#{pick(['', '', '', ' no'])}"
      when 10 then "%{literal('%')}{role} %{scope('#{pick(VARIABLES).strip.delete("'")}')}"
      when 11 then "x%{#{pick(['', '::', "''", '""', "'::'"])}}y"
      when 12 then chance(10) ? pick(["%{bad('x')}", "%{lookup('a'}", '%{nosuch}', '%{lookup("")}', "%{facts..x}", '%{lookup(a)}', '%{nosuch.x}']) : '%{role}'
      else pick(['100%', '%{role', '}', '%{{role}}', '% {role}', "%%{role}"])
      end
    end

    def inner_key
      # Mostly keys that come later; otherwise lookups would multiply endlessly.
      name = pick(chance(3) ? ROOTS : ROOTS.select { |root| root > @root } + %w[nosuch])
      name = "#{@prefix}#{name}" if chance(80)
      chance(20) ? "#{name}.#{pick(%w[x 0 y.x])}" : name
    end

    def lookup_options
      options = Array.new(@random.rand(1..4)) do
        name = chance(30) ? "^#{@prefix}#{pick(['[ab]$', '.*', 'a', '(c|d)', '[ef]'])}" : "#{@prefix}#{pick(ROOTS)}"
        name = pick(['a', '^a', 'n::a', '^[']) if @is_spoiled && chance(10)
        [name, option_of_key]
      end
      @is_spoiled && chance(10) ? pick(['1', '[1]', 'null']) : JSON.generate(options.to_h)
    end

    def option_of_key
      result = {}
      result['merge'] = merge_option if chance(75)
      if chance(25)
        result['convert_to'] = pick(['Integer', 'String', 'Sensitive', 'Array', ['String', '%p'], ['Integer', 16], 'Nosuch', 'Array[', ['Array', true], 'Hash', []])
      end
      result
    end
  end
end
