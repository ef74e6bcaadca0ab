require 'yaml'

# The entries of docs/differences.yaml that affect random expressions: those with patterns there, and those that cannot be
# recognised by a pattern.
module Oracle
  module KnownDifferences
    FILE = File.expand_path('../../../docs/differences.yaml', __dir__)
    # {"D20" => {"ours" => /.../}}
    PATTERNS = YAML.safe_load(File.read(FILE)).fetch('entries').to_h { |entry|
      [entry['id'], entry.fetch('oracle', {}).transform_values { |pattern| Regexp.new(pattern, Regexp::MULTILINE) }]
    }.freeze

    # Errors of Ruby itself that reach the user of the reference and show its internals.
    RUBY_ERROR = /
      undefined\ (local\ variable\ or\ )?method | uninitialized\ constant | wrong\ number\ of\ arguments |
      protected\ method | no\ implicit\ conversion | comparison\ of\ \S+\ with | no\ superclass\ method
    /x.freeze
    # Calls that fail this way in the reference and have an answer in Bunraku.
    ANSWERED_FUNCTIONS = %w[tree_each fqdn_rand chop chomp strip lstrip rstrip capitalize camelcase upcase downcase max min
                            shellquote hiera lookup Object Float].freeze
    ANSWERED = Regexp.union(/\b(#{ANSWERED_FUNCTIONS.join('|')})\b/, 'Hash[', 'Iterable >', 'Iterator >').freeze
    # The `inspect` text of a Ruby object.
    RUBY_OBJECT = /0x0{4}\h{12}|\{:path=>|#<URI::/.freeze
    BEYOND = /outside the range of Integer|beyond the 64 bits|more than 292 years|out of range|invalid argument - -9223372036854775808/.freeze

    ENTRIES = {
      'D65' => lambda do |code, theirs, ours|
        theirs['error'].to_s.match?(RUBY_ERROR) &&
          (theirs['error'].start_with?('undefined method') || !theirs['error'].match?(RUBY_OBJECT)) &&
          (same_place?(theirs, ours) || (ours.key?('value') && code.match?(ANSWERED)) ||
           (code.match?(/Hash\[|Tuple\[/) && ours['error'].to_s.match?(/size constraint arguments|type specialization/)))
      end,
      # A value, or the text of an error around the object.
      'D66' => lambda do |_, theirs, ours|
        next ours.key?('value') && JSON.generate(theirs['value']).match?(RUBY_OBJECT) if theirs.key?('value')
        theirs['error'].match?(RUBY_OBJECT) && same_place?(theirs, ours) &&
          (frame(theirs['error']) == frame(ours['error']) || theirs['error'].match?(RUBY_ERROR))
      end,
      'D67' => lambda do |code, theirs, ours|
        theirs['error'].to_s.include?('Puppet::Resource into') || JSON.generate(theirs['value']).match?(/"[A-Z]\w*\[\]"/) ||
          (code.include?('sprintf') && theirs['error'].to_s.match?(/\Akey[<{].*[>}] not found\z/) && ours['error'] == 'one hash required')
      end,
      # The reference reports no place there.
      'D5' => ->(_, theirs, ours) { theirs['error'] && theirs['error'] == ours['error'] && theirs['line'].nil? },
      'D72' => lambda do |code, theirs, ours|
        times = code.scan(/Time(?:span|stamp)\([^()]*\)/)
        times.uniq != times && (theirs.key?('value') || ours.key?('value'))
      end,
      'D73' => lambda do |code, theirs, ours|
        next false unless code.include?('9223372036854775807')
        next true if theirs['value'].is_a?(String) && theirs['value'].gsub(', 9223372036854775807]', ']') == ours['value']
        [theirs, ours].all? { |a| type_in?(a) } || theirs['error'] == ours['error'].to_s.gsub(', 9223372036854775807]', ']')
      end,
      'D61' => lambda do |_, theirs, ours|
        next true if theirs['error'].to_s.match?(/size too big|allocate memory/) && ours['error'] == 'shift width too big'
        ours['error'].to_s.match?(BEYOND) && JSON.generate(theirs.values_at('value', 'error')).scan(/\d+/).any? { |digits| digits.to_i.bit_length > 63 }
      end,
      'D75' => ->(code, _, ours) { code.match?(/Timespan\[[^\]]*\d[.e]/) && JSON.generate(ours).include?('Timespan[') },
      # An iterator that was already consumed, or an iterator of tree_each, which has no type.
      'D80' => lambda do |code, theirs, ours|
        next false unless code.match?(/reverse_each|step|tree_each/)
        next theirs['error'].to_s.gsub(/\bRuntime\b/, 'Iterator') == ours['error'] unless ours.key?('value')
        theirs['value'] == [] || JSON.generate(theirs).include?('TreeIterator') || bytes_of(theirs['value']).include?('TreeIterator')
      end,
      # The reference's paths continue into types.
      'D201' => lambda do |code, theirs, ours|
        next false unless code.include?('tree_each') && [theirs, ours].all? { |answer| answer['value'].is_a?(Array) }
        # With options, types may occur only as containers, or only as values.
        (theirs['value'] - ours['value'] | ours['value'] - theirs['value']).all? { |item| within_type?(item) }
      end,
      'D713' => lambda do |code, theirs, ours|
        code.include?('URI') && JSON.generate(theirs['value']) == JSON.generate(ours['value']).gsub(%r{://(?=[^\w/]|/[^"/]|")}, ':')
      end,
      'D425' => ->(code, theirs, ours) { code.include?('Init') && theirs.fetch('value', 0).nil? && ours['value'] == false },
      'D350' => lambda do |code, theirs, ours|
        next false unless ours.key?('value')
        (code.match?(/(Callable|Tuple)\[.*'default'/m) && theirs['error'].to_s.start_with?("undefined method `>' for false:FalseClass")) ||
          (code.include?('Init[') && theirs['error'] == 'wrong number of arguments (given 1, expected 2)')
      end
    }.freeze

    ATTRIBUTE_OF_TYPE = /\A(size_type_or_value|\w*type\w*|from|to|pattern|values|elements|key|class_name|title|name_or_pattern|runtime|case_insensitive|value|init_args)\z/.freeze

    # A path and its value, where the value is a type or part of one.
    def self.within_type?(item)
      path, value = item
      return false unless item.is_a?(Array) && item.size == 2 && path.is_a?(Array)
      (value.is_a?(Hash) && value['__ptype'] == 'Type') || path.any? { |step| step.is_a?(String) && step.match?(ATTRIBUTE_OF_TYPE) }
    end

    # The text of the reference's own objects has no encoding, so that it and its parts are shown as Binary.
    def self.bytes_of(value)
      case value
      when Array then value.map { |element| bytes_of(element) }.join
      when Hash then value['__ptype'] == 'Binary' ? value['__pvalue'].unpack1('m') : ''
      else ''
      end
    end

    def self.same_place?(theirs, ours)
      return false unless ours.key?('error')
      # Errors of Ruby may have no place.
      theirs['line'].nil? || theirs.values_at('line', 'pos') == ours.values_at('line', 'pos')
    end

    # The part of a message around the value that it quotes.
    def self.frame(message)
      message.to_s.sub(/'.*'/m, "''").sub(/\[.*\]/m, '[]').sub(/ Got \S+\z/, ' Got')
    end

    def self.type_in?(answer)
      answer.key?('value') && JSON.generate(answer['value']).include?('"__ptype":"Type"')
    end

    unknown = ENTRIES.keys - PATTERNS.keys
    raise "docs/differences.yaml has no #{unknown.join(', ')}" unless unknown.empty?

    # Returns the entry that explains why the answers differ, or nil.
    def self.entry_for(code, theirs, ours)
      texts = { 'code' => code, 'theirs' => theirs['error'].to_s, 'ours' => ours['error'].to_s }
      by_pattern = PATTERNS.find { |_, patterns| !patterns.empty? && patterns.all? { |of, pattern| texts.fetch(of).match?(pattern) } }
      by_pattern&.first || ENTRIES.find { |_, explains| explains.call(code, theirs, ours) }&.first
    end
  end
end
