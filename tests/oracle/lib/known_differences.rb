# The differences of docs/differences.md that random expressions run into.
module Oracle
  module KnownDifferences
    # Errors of Ruby itself, which the reference lets through: they tell of its insides.
    RUBY_ERROR = /
      undefined\ (local\ variable\ or\ )?method | 0x0{4}\h{12} | \bfor\ nil:NilClass | uninitialized\ constant |
      wrong\ number\ of\ arguments | no\ implicit\ conversion | comparison\ of\ \S+\ with
    /x.freeze
    # An object of Ruby as its inspect shows it.
    RUBY_OBJECT = /0x0{4}\h{12}|\{:path=>/.freeze
    BEYOND = /outside the range of Integer|beyond the 64 bits|more than 292 years|out of range|invalid argument - -9223372036854775808/.freeze

    ENTRIES = {
      'D65' => ->(_, theirs, _) { theirs['error'].to_s.match?(RUBY_ERROR) },
      'D66' => ->(_, theirs, _) { theirs.key?('value') && JSON.generate(theirs['value']).match?(RUBY_OBJECT) },
      'D67' => lambda do |_, theirs, _|
        theirs['error'].to_s.include?('Puppet::Resource into') || JSON.generate(theirs['value']).match?(/"[A-Z]\w*\[\]"/)
      end,
      # All mistakes are told; the first is the reference's.
      'D3' => lambda do |_, theirs, ours|
        first = ours['logs'].to_a.find { |log| log['level'] == 'err' }
        ours['error'].to_s.start_with?('Language validation logged') && first&.fetch('message') == theirs['error']
      end,
      # The reference tells no place there.
      'D5' => ->(_, theirs, ours) { theirs['error'] && theirs['error'] == ours['error'] && theirs['line'].nil? },
      'D73' => ->(code, theirs, ours) { code.include?('9223372036854775807') && [theirs, ours].all? { |a| type_in?(a) } },
      'D20' => ->(_, _, ours) { ours['error'].to_s.include?('regular expression') && ours['error'].include?('steps') },
      'D60' => ->(_, _, ours) { ours['error'].to_s.include?('292 years') },
      'D61' => lambda do |_, theirs, ours|
        ours['error'].to_s.match?(BEYOND) && JSON.generate(theirs['value']).scan(/\d+/).any? { |digits| digits.to_i.bit_length > 63 }
      end,
      'D62' => ->(code, theirs, _) { code.include?('SemVerRange') && theirs['error'].to_s.match?(/undefined|uninitialized/) },
      'D75' => ->(code, _, ours) { code.match?(/Timespan\[[^\]]*\d[.e]/) && JSON.generate(ours).include?('Timespan[') },
      'D77' => ->(code, _, _) { code.match?(/TypeSet\['\w*'\]/) },
      'D79' => ->(_, theirs, _) { theirs['error'].to_s.include?('cannot load such file -- scanf') },
      'D80' => ->(code, _, _) { code.match?(/reverse_each|step|tree_each/) && code.match?(/each \||\.each|tree_each/) },
      'D78' => lambda do |code, theirs, ours|
        code.include?('Type') && theirs['error'] == ours['error'] && theirs['error'].to_s.start_with?('Syntax error')
      end
    }.freeze

    def self.type_in?(answer)
      answer.key?('value') && JSON.generate(answer['value']).include?('"__ptype":"Type"')
    end

    # The entry that explains why the answers differ; nil when there is none.
    def self.entry_for(code, theirs, ours)
      ENTRIES.find { |_, explains| explains.call(code, theirs, ours) }&.first
    end
  end
end
