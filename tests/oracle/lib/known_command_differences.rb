require_relative 'known_differences'

module Oracle
  # The entries of docs/differences.yaml that affect command lines of file cases.
  module KnownCommandDifferences
    # Texts of a command that only the reference prints, and texts that only Bunraku prints; `ends` requires that both end alike
    # (:alike), or that exactly one of them fails (:otherwise).
    Entry = Struct.new(:name, :command, :theirs, :ours, :ends, keyword_init: true) do
      def explains?(translation, comparison)
        return false unless command.nil? || command === translation.command
        return false unless ends == :any || comparison.same_end? == (ends != :otherwise)
        theirs === comparison.only_theirs && ours === comparison.only_ours
      end
    end

    NOTHING = ''.freeze
    NOTICES = /\A(Notice: Scope\(Class\[main\]\): .*\n?)*\z/.freeze
    ERRORS = /\A(Error: .*\n?)+\z/.freeze

    MISTAKE_IN_SETTINGS = /(Could not parse '.*'|File modes must be numbers|Invalid file option '\w+'|invalid byte sequence in UTF-8)/.freeze
    VALUES_ARE_NO_HASH = %r{\AError: --values_file option must evaluate to a Hash or undef/nil, got: '(\w+)'\nError: inline_epp\(\): the template_args must be a Hash, got a \1\z}.freeze
    NO_FILE_OF_VALUES = /Error: Only \.yaml or \.pp can be used as a --values_file/.freeze

    UNKNOWN_ESCAPE = /Warning: Unrecognized escape sequence .*/.freeze
    UNSERVED = Regexp.union(
      /Could not get metadata for .*/, /Could not understand URL .*/, /Cannot find file: Invalid .*/, /No (module|task) specified/,
      /Unsupported (checksum type|source_permission) .*/, /:links can only be set .*/, /Invalid :links value .*/,
      /The directory '.*' contains .*/, /No such file or directory @ .*/
    ).freeze

    ENTRIES = [
      Entry.new(name: 'D3', command: /validate\z/, theirs: NOTHING, ours: ERRORS),
      Entry.new(name: 'D65', theirs: %r{\AError: .*Input/output error @ io_fread - .*\z}, ours: %r{\AError: .*Input/output error (@ rb_sysopen )?- .*\z}),
      Entry.new(name: 'D115', command: 'lookup', theirs: /\A(Did you mean\?.*\n?)+\z/, ours: NOTHING),
      Entry.new(name: 'D130', command: 'generate types', theirs: /\AError: \S+\.rb: title patterns that use procs are not supported\.\z/,
                ours: /\ANotice: Generating '\S+\.pp' using 'pcore' format\.\z/, ends: :any),
      Entry.new(name: 'D181', theirs: NOTHING, ours: /\AError: No such file or directory - \S+ on node \S+\z/, ends: :otherwise),
      Entry.new(name: 'D182', command: 'catalog compile', theirs: /\AError: #{UNSERVED}\z/, ours: /\AError: #{UNSERVED} \((file: \S+, )?line: \d+\)\z/),
      Entry.new(name: 'D182', command: 'catalog compile', theirs: /\AError: (undefined method `(to_sym|>)' for|comparison of (Integer with|String with 0))/, ours: /\AError: The value of '\w+' must be a (string|number), not .* \((file: \S+, )?line: \d+\)\z/),
      Entry.new(name: 'D182', command: 'catalog compile', theirs: /\AError: Too many levels of symbolic links @ rb_file_s_stat - \S+\z/, ours: /\AError: Too many levels of symbolic links - \S+ \((file: \S+, )?line: \d+\)\z/),
      Entry.new(name: 'D182', command: 'catalog compile', theirs: /\AError: Error parsing fileserver configuration: (undefined method `name' for nil:NilClass|mount\[\w+\] is already mounted|Is a directory @ )/,
                ours: /\AError: Error parsing fileserver configuration: (A path belongs to a mount|mount\[\w+\] is already mounted|Is a directory - )/),
      Entry.new(name: 'D221', theirs: NOTICES, ours: /\AError: Could not read \S+: it is not a hash\z/, ends: :otherwise),
      Entry.new(name: 'D221', theirs: /\A(Notice: .*\n)*Error: .*(undefined method `(inject|collect)'|key is a Integer|no implicit conversion of String into Integer)/,
                ours: /\AError: .*(it is not a hash|A classifier's (parameters must be a hash|classes must be a list or a hash))\z/),
      # Text that the command wrote to standard error.
      Entry.new(name: 'D221', theirs: NOTHING, ours: /\A(?!Error|Warning)\w+\z/),
      Entry.new(name: 'D221', theirs: /\AError: .* returned 1: \z/, ours: /\AError: .* returned 1: Error: Could not execute posix command: .*\z/),
      Entry.new(name: 'D280', command: 'epp render', theirs: NOTHING, ours: /\AError: give template files, or the text of a template with -e .*\z/, ends: :otherwise),
      # Values that are not a hash, then the template that gets them nevertheless.
      Entry.new(name: 'D280', command: 'epp render', theirs: /\AError: inline_epp\(\): the template_args must be a Hash, got a Puppet::Util::Log\z/, ours: NOTHING),
      Entry.new(name: 'D280', command: 'epp render', theirs: VALUES_ARE_NO_HASH, ours: /\AError: --values_file option must evaluate to a Hash or undef, got: '\w+'\z/),
      Entry.new(name: 'D280', command: 'epp render', theirs: VALUES_ARE_NO_HASH, ours: NOTHING, ends: :otherwise),
      Entry.new(name: 'D280', command: 'epp render', theirs: /\AError: Could not load --values_file \S.*\z/, ours: /\AError: ((Could not load --values_file )?\S.*)\z/, ends: :otherwise),
      Entry.new(name: 'D280', command: 'epp render', theirs: /\A#{NO_FILE_OF_VALUES}\z/, ours: /\AError: Only \.yaml, \.json or \.pp can be used as a --values_file\z/, ends: :otherwise),
      Entry.new(name: 'D280', command: 'epp render', theirs: /\A#{NO_FILE_OF_VALUES}\n(Error: Evaluation Error: Unknown variable: '\w+'\. .*\n?)+\z/, ours: NOTHING, ends: :otherwise),
      Entry.new(name: 'D320', theirs: /\AError: #{MISTAKE_IN_SETTINGS}\z/, ours: /\AError: #{MISTAKE_IN_SETTINGS} \(file: \S+\.conf, line: \d+\)\z/),
      Entry.new(name: 'D391', theirs: /\AError: invalid option: --\S+\z/, ours: /\AWarning: Setting '\w+' is unknown(\nNotice: .*)*\z/, ends: :otherwise),
      Entry.new(name: 'D281', command: 'lookup', theirs: /\AError: (.*\nRun 'puppet lookup --help' for more details|No keys were given to lookup\.)\z/,
                ours: /\AError: .* \(see `bunraku help lookup`\)\z/),
      Entry.new(name: 'D653', command: 'lookup', theirs: NOTHING, ours: /\AError: Such a value has no form in YAML/, ends: :otherwise),
      Entry.new(name: 'D423', theirs: /\A(Warning: \S+ has an invalid and unparsable metadata\.json file\..*\n?)+\z/, ours: NOTHING),
      Entry.new(name: 'D423', theirs: /\A(Warning: You cannot interpolate \$environment within .*\n?)+\z/, ours: NOTHING),
      Entry.new(name: 'D654', command: /validate\z/, theirs: /\A(#{UNKNOWN_ESCAPE}\n?)+\z/, ours: /\A((#{UNKNOWN_ESCAPE}|Error: .*)\n?)+\z/),
      Entry.new(name: 'D659', command: 'lookup', theirs: /\AError: Undefined variable '.*' \(file: .*\)\z/,
                ours: /\AWarning: Interpolation failed with '.*', but compilation continuing; \n   \(file & line not available\)(\nError: .*)*\z/, ends: :any),
      Entry.new(name: 'D714', command: 'lookup', theirs: /\AError: Function lookup\(\) did not find a value /, ours: /\AError: A pattern for paths is too large /),
      # Missing files, and directories of templates.
      Entry.new(name: 'D420', command: /\A(epp|parser)/, theirs: /\A(#{UNKNOWN_ESCAPE}\n)?\n*Error: One or more file\(s\) specified did not exist:\n.*\z/, ours: /^Error: No such file or directory - \S+$/),
      Entry.new(name: 'D420', command: 'epp validate', theirs: /\AError: Is a directory @ io_fread - \S+\z/, ours: ERRORS),
      Entry.new(name: 'D421', command: 'catalog compile', theirs: /\AError: .*: invalid byte sequence in UTF-8 on node \S+\z/, ours: /\AError: .*: Invalid UTF-8 byte in the source text \(file: .*\) on node \S+\z/),
      Entry.new(name: 'D421', command: 'catalog compile', theirs: /\AError: .*Byte Order mark at beginning of input.*source on node \S+\z/, ours: /\AError: .*Byte Order mark at beginning of input.*source \(file: \S+\) on node \S+\z/),
      Entry.new(name: 'D422', theirs: /\AError: Syntax error at '' \(file: \S+, line: 1, column: 1\)\z/, ours: /\AError: larger than 1024 MB - \S+\z/)
    ].freeze

    unknown = ENTRIES.map(&:name).uniq - KnownDifferences::PATTERNS.keys
    raise "docs/differences.yaml has no #{unknown.join(', ')}" unless unknown.empty?

    # Returns the name of the entry that explains all of the differences, or nil.
    def self.entry_for(translation, comparison)
      ENTRIES.find { |entry| entry.explains?(translation, comparison) }&.name
    end
  end
end
