require 'strscan'
require_relative 'random_choice'

module Oracle
  # Random texts that match a pattern, as far as it consists of literals, classes, groups, alternatives and repetitions.
  class MatchingText
    include RandomChoice

    CLASSES = { 'd' => [*'0'..'9'], 'w' => [*'a'..'z', '_', *'0'..'9'], 's' => [' '], 'h' => [*'0'..'9', *'a'..'f'], 'S' => %w[a Z 9 / .], 'D' => %w[a - .],
                'W' => ['-', '.', ' '] }.freeze
    NAMED = { 'alpha' => [*'a'..'z'], 'digit' => [*'0'..'9'], 'alnum' => [*'a'..'z', *'0'..'9'], 'xdigit' => [*'0'..'9', *'a'..'f'], 'upper' => [*'A'..'Z'],
              'lower' => [*'a'..'z'], 'space' => [' '] }.freeze
    ANY = %w[a b Z 0 9 - _ . / x y].freeze
    PRINTABLE = (' '..'~').to_a.freeze

    def initialize(random)
      @random = random
    end

    # A text, or nil where none is found in a few attempts.
    def of(pattern)
      8.times do
        @scanner = StringScanner.new(pattern.source)
        text = alternatives
        return text if @scanner.eos? && pattern.match?(text)
      end
      nil
    rescue ArgumentError, RegexpError
      nil
    end

    private

    # Generates all alternatives, because that reads them, and takes one.
    def alternatives
      texts = [sequence]
      texts << sequence while @scanner.skip(/\|/)
      pick(texts)
    end

    def sequence
      text = +''
      until @scanner.eos? || @scanner.check(/[|)]/)
        start = @scanner.pos
        first = atom
        after = @scanner.pos
        least, most = repetition
        rest = @scanner.pos
        times = @random.rand(least..[most, least + 3].min)
        text << first if times.positive?
        (times - 1).times do
          @scanner.pos = start
          text << atom
        end
        @scanner.pos = [rest, after].max
      end
      text
    end

    def repetition
      least, most = if @scanner.skip(/\?/) then [0, 1]
                    elsif @scanner.skip(/\*/) then [0, 3]
                    elsif @scanner.skip(/\+/) then [1, 4]
                    elsif @scanner.scan(/\{(\d*)(,?)(\d*)\}/)
                      least = @scanner[1].to_i
                      [least, @scanner[2].empty? ? least : (@scanner[3].empty? ? least + 3 : @scanner[3].to_i)]
                    else return [1, 1]
                    end
      @scanner.skip(/[?+]/)
      [least, most]
    end

    def atom
      return '' if @scanner.skip(/\\[AzZbBG]|[\^$]|\(\?[imx-]+\)/)
      return pick(ANY) if @scanner.skip(/\./)
      return group if @scanner.skip(/\(/)
      return pick(set) if @scanner.skip(/\[/)
      return escape.then { |found| found.is_a?(Array) ? pick(found) : found } if @scanner.skip(/\\/)
      @scanner.getch
    end

    def group
      is_ahead = @scanner.skip(/\?<?[=!]/)
      @scanner.skip(/\?(?:[imx-]*:|>|<\w+>)/) unless is_ahead
      text = alternatives
      @scanner.skip(/\)/) or raise ArgumentError
      is_ahead ? '' : text
    end

    def escape
      letter = @scanner.getch
      return CLASSES[letter] if CLASSES.key?(letter)
      return { 'n' => "\n", 't' => "\t", 'r' => "\r", '0' => "\0" }[letter] || letter unless letter.match?(/[a-zA-Z1-9]/) && !'ntr'.include?(letter)
      raise ArgumentError
    end

    # The characters of a class; the bracket is read.
    def set
      is_negative = @scanner.skip(/\^/)
      found = []
      until @scanner.skip(/\]/)
        raise ArgumentError if @scanner.eos?
        found.concat(members)
      end
      found = PRINTABLE - found if is_negative
      raise ArgumentError if found.empty?
      found
    end

    def members
      return NAMED.fetch(@scanner[1]) { raise ArgumentError } if @scanner.scan(/\[:(\w+):\]/)
      return set if @scanner.skip(/\[/)
      first = member
      return first if first.is_a?(Array)
      return [first] unless @scanner.check(/-[^\]]/)
      @scanner.skip(/-/)
      last = member
      last.is_a?(String) ? [*first..last] : [first, '-', *last]
    end

    def member
      @scanner.skip(/\\/) ? escape : @scanner.getch
    end
  end
end
