require 'json'

module Oracle
  # Two answers to one command line: what is the same in them, and what is not.
  class CommandComparison
    # What the reference's command line adds around an error.
    WRAPPING = /^(Error: )Could not (?:call 'find' on 'catalog'|run|initialize global default settings|parse application options): /.freeze
    # An error that another one carries.
    WRAPPED = /\nWrapped exception:\n.*?(?=\n|\z)/.freeze
    CHATTER = /^(Error: Try 'puppet help [\w ]+' for usage|Notice: Compiled catalog for .* in \d+\.\d+ seconds)\n/.freeze

    def initialize(translation, ours, theirs)
      @translation = translation
      @ours = ours
      @theirs = theirs
    end

    # Lines that tell the differences; none where there are none.
    def differences
      found = []
      found << "exit: #{word(@ours.success)} in place of #{word(@theirs.success)}" if @ours.success != @theirs.success
      found.concat(parted('output', output(@ours), output(@theirs)))
      found.concat(parted('log', log(@ours), log(@theirs)))
    end

    private

    def word(success)
      success.nil? ? 'no end' : (success ? 'success' : 'failure')
    end

    def output(answer)
      return catalog(answer.out) if @translation.command == 'catalog compile'
      answer.out.sub(/\n*\z/, "\n")
    end

    # Versions are times, unless the environment says otherwise.
    def catalog(text)
      document = JSON.parse(text)
      document['catalog_uuid'] = nil
      document['version'] = nil if document['version'].is_a?(Integer)
      JSON.pretty_generate(document)
    rescue JSON::ParserError
      text
    end

    # The reference's command line tells an error twice or more.
    def log(answer)
      text = answer.log.gsub(WRAPPING, '\1').gsub(CHATTER, '').gsub(WRAPPED, '').gsub("\n (file: ", ' (file: ')
      records = text.split(/^(?=(?:Error|Warning|Notice|Info|Debug): )/)
      records.each_with_index.reject { |record, i| i.positive? && record.start_with?('Error: ') && records[0...i].include?(record) }.map(&:first).join
    end

    def parted(what, ours, theirs)
      return [] if ours == theirs
      ours_lines = ours.lines.map(&:chomp)
      their_lines = theirs.lines.map(&:chomp)
      missing = their_lines - ours_lines
      extra = ours_lines - their_lines
      return ["#{what}: another order"] if missing.empty? && extra.empty?
      missing.first(12).map { |line| "#{what} -reference: #{line[0, 600]}" } + extra.first(12).map { |line| "#{what} +bunraku:   #{line[0, 600]}" }
    end
  end
end
