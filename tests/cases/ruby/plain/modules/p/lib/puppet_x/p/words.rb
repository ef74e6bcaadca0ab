require 'puppet'

# Words, and what becomes of them.
module PuppetX
  module P
    module Words
      LONG = 4
      LEAVE = %w[the of].freeze

      def self.all(words, extra = [])
        @left = LEAVE + extra
        words.map { |word| changed(word) }.join(' ')
      end

      def self.changed(word)
        return word if @left.include?(word)

        word.length >= LONG ? Numbers.mark(word) : self.short(word)
      end

      def self.short(word)
        yield_word(word) { |text| text.upcase }
      end

      def self.yield_word(word)
        yield word
      end
    end

    module Numbers
      def self.mark(word)
        "#{word}(#{word.length})"
      end
    end
  end
end
