require 'json'

module Oracle
  # Two answers to one command line, and their differences.
  class CommandComparison
    # Text that the reference's command line adds around an error.
    WRAPPING = /^(Error: )Could not (?:call 'find' on 'catalog'|run|initialize global default settings|parse application options): /.freeze
    # The equivalent for commands that validate files.
    NOT_PARSED = /^(Error: )Could not parse for environment \w+: /.freeze
    # An error that is wrapped by another one.
    WRAPPED = /\nWrapped exception:\n.*?(?=\n|\z)/.freeze
    CHATTER = /^(Error: Try 'puppet help [\w ]+' for usage|Error: (error while rendering|Errors while validating) epp|Notice: (Compiled( static)? catalog|Inlined resource metadata into static catalog) for .* in \d+\.\d+ seconds)\n/.freeze
    # The number of lines that are shown of a part.
    SHOWN = 12

    # `directory` is the command's directory.
    def initialize(translation, ours, theirs, directory)
      @translation = translation
      @directory = directory
      @ours = ours
      @theirs = theirs
    end

    def same?
      same_end? && texts.all? { |_, ours, theirs| ours == theirs }
    end

    def same_end?
      @ours.success == @theirs.success
    end

    # Text that only one of the answers contains.
    def only_ours
      texts.map { |_, ours, theirs| surplus(lines(ours), lines(theirs)) }.flatten.join("\n")
    end

    def only_theirs
      texts.map { |_, ours, theirs| surplus(lines(theirs), lines(ours)) }.flatten.join("\n")
    end

    # The differences as lines; empty without differences.
    def differences
      lines_found = texts.flat_map { |what, ours, theirs| parted(what, lines(ours), lines(theirs)) }
      lines_found.unshift("exit: #{word(@ours.success)} in place of #{word(@theirs.success)}") unless same_end?
      lines_found
    end

    private

    # Pairs of texts that should be equal. Only successful commands have output.
    def texts
      @texts ||= [(['output', output(@ours), output(@theirs)] if same_end?), ['log', log(@ours), log(@theirs)]].compact
    end

    def word(success)
      success ? 'success' : 'failure'
    end

    def lines(text)
      text.lines.map(&:chomp)
    end

    # Lines that occur more often than in the others.
    def surplus(lines, others)
      left = others.tally
      lines.reject { |line| left[line].to_i.positive? && left[line] -= 1 }
    end

    def output(answer)
      return catalog(answer.out) if @translation.command == 'catalog compile'
      answer.out.sub(/\n*\z/, "\n")
    end

    # Versions are times unless the environment defines them. The reference reports the files of a directory in the system's
    # order.
    def catalog(text)
      document = JSON.parse(text)
      document.fetch('recursive_metadata', {}).each_value { |sources| sources.each_value { |files| files.sort_by! { |file| file['relative_path'] } } }
      document['catalog_uuid'] = nil
      document['version'] = nil if document['version'].is_a?(Integer)
      JSON.pretty_generate(document)
    rescue JSON::ParserError
      text
    end

    # The reference's command line reports an error twice or more.
    def log(answer)
      text = @translation.validates? ? answer.log.gsub(NOT_PARSED, '\1').gsub("#{@directory}/", '') : answer.log
      text = text.gsub(WRAPPING, '\1').gsub(CHATTER, '').gsub(WRAPPED, '').gsub("\n (file: ", ' (file: ')
      records = text.split(/^(?=(?:Error|Warning|Notice|Info|Debug): )/)
      records.each_with_index.reject { |record, i| record.start_with?('Error: ') && repeated?(record, records[0...i], records) }.map(&:first).join
    end

    # The node may be missing in one of the records.
    def repeated?(record, earlier, all)
      earlier.include?(record) || all.any? { |other| other.start_with?("#{record.chomp} on node ") }
    end

    def parted(what, ours, theirs)
      return [] if ours == theirs
      missing = surplus(theirs, ours)
      extra = surplus(ours, theirs)
      return ["#{what}: another order"] if missing.empty? && extra.empty?
      missing.first(SHOWN).map { |line| "#{what} -reference: #{line[0, 600]}" } + extra.first(SHOWN).map { |line| "#{what} +bunraku:   #{line[0, 600]}" }
    end
  end
end
