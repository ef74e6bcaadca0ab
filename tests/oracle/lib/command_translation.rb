module Oracle
  # Translates a command line of the program to the reference's own command line.
  class CommandTranslation
    # The reason why there is nothing to compare.
    class NotComparable < StandardError; end

    # Commands without an equivalent in the reference.
    OWN_COMMANDS = {
      'catalog why' => 'explains causes', 'catalog diff' => 'compares catalogs', 'catalog graph' => 'draws catalogs',
      'fleet' => 'is about many nodes', 'describe' => 'shows documents of our own', 'module' => 'is about Ruby code',
      'eval' => 'is compared by file cases of code', 'parser tokens' => 'shows tokens', 'epp tokens' => 'shows tokens',
      'facts' => 'shows what --facts reads', 'help' => 'shows help', 'version' => 'shows the version'
    }.freeze
    # Options that change the result and have no equivalent on the reference's command line.
    OWN_OPTIONS = %w[--vars --trusted --server-facts --explain-file --watch --include-virtual --profile].freeze
    # Options that change our presentation, or where Ruby code runs.
    PRESENTATION = %w[--log-format --color --ruby-timeout --ruby].freeze
    # Options that decide which environment a command uses.
    PLACES = %w[--environment --environmentpath --modulepath --manifest --confdir --codedir].freeze
    FLAGS = %w[--no-facts --explain --explain-options --sort-merged-arrays --merge-hash-arrays --compile -c --pretty --header --no-header
               --validate --no-validate --static --force --debug -d --verbose -v --help -h --continue_on_error --continue-on-error].freeze
    COMMANDS = ['catalog compile', 'lookup', 'epp render', 'epp dump', 'epp validate', 'parser dump', 'parser validate',
                'generate types', 'config print'].freeze
    # Options for static catalogs, which are part of an agent's request and have no equivalent on the
    # reference's command line.
    REQUEST = %w[--static --code-id].freeze
    # Settings that are options of the reference, --name or --no-name.
    BOOLEAN_SETTINGS = %w[disable_per_environment_manifest strict_variables rich_data ignoremissingtypes static_catalogs versioned_environment_dirs].freeze

    attr_reader :command, :words, :options

    def initialize(argv)
      @command = name_of(argv)
      @words = []
      @options = []
      read(argv.drop(@command.split.size))
      raise NotComparable, 'the reference has no static catalogs without a version of the code' if static? && !value('--code-id')
      raise NotComparable, 'parser validate of what is in no file' if @command == 'parser validate' && (value('-e') || (@words - ['-']).empty?)
    end

    def writes_files?
      @command == 'generate types'
    end

    def validates?
      @command.end_with?('validate')
    end

    def value(name)
      @options.reverse.find { |option, _| option == name }&.last
    end

    def static?
      @options.any? { |name, _| name == '--static' }
    end

    # Whether the command uses the environment of its working directory, which the reference does not.
    def environment_of_directory?(directory)
      File.exist?("#{directory}/environment.conf") && @options.none? { |name, _| PLACES.include?(name) }
    end

    def node
      @command == 'catalog compile' ? @words.first : value('--node')
    end

    # Our command line, with the answer in a form that can be compared.
    def ours
      lookup_form = @command == 'lookup' && !value('--render-as') ? ['--render-as', explains? ? 's' : 'json'] : []
      options = @options.reject { |name, _| name == '--log-format' || name == '--format' && (@command == 'lookup' || validates?) }
      @command.split + lines(options) + lookup_form + ['--color', 'never', '--'] + @words
    end

    # The reference's command line; options of the user follow the defaults and override them.
    def theirs(defaults = [])
      words = @words.dup
      options = @options.reject { |name, _| %w[--facts --enc --set].include?(name) && !(name == '--facts' && @command == 'epp render') || (PRESENTATION + REQUEST).include?(name) }
      options += @options.select { |name, _| name == '--set' }.map { |_, setting| option_of(*setting.split('=', 2)) }
      options.reject! { |name, _| name == '--format' } unless @command.end_with?('dump')
      options.reject! { |name, _| name == '--no-facts' }
      # Without the node's facts, which are in a directory of the comparison.
      options.reject! { |name, _| name == '--vardir' } unless @command == 'config print'
      options << ['--render-as', explains? ? 's' : 'json'] if @command == 'lookup' && !value('--render-as')
      if @command == 'catalog compile'
        options.map! { |name, text| name == '-e' ? ['--code', text] : [name, text] }
        options << ['--manifest', words.pop] if words.size == 2
      end
      @command.split + defaults + lines(options) + words
    end

    private

    def name_of(argv)
      OWN_COMMANDS.each { |name, why| raise NotComparable, "#{name} #{why}" if name.split == argv.first(name.split.size) }
      COMMANDS.find { |name| name.split == argv.first(name.split.size) } or raise NotComparable, 'no command of the reference'
    end

    def read(words)
      until words.empty?
        word = words.shift
        next @words.concat(words.slice!(0..)) if word == '--'
        next @words << word if !word.start_with?('-') || word == '-'
        name, text = word.start_with?('--') ? word.split('=', 2) : [word[0, 2], word[2..].then { |rest| rest.empty? ? nil : rest }]
        name = { '--execute' => '-e', '--values-file' => '--values_file' }.fetch(name, name)
        raise NotComparable, "#{name} has no counterpart" if OWN_OPTIONS.include?(name)
        text = words.shift if text.nil? && !FLAGS.include?(name) && !BOOLEAN_SETTINGS.include?(name.delete_prefix('--'))
        @options << [name, text]
      end
    end

    def option_of(setting, text)
      return ["--#{setting}", text] unless BOOLEAN_SETTINGS.include?(setting)
      ["--#{'no-' unless text == 'true'}#{setting}", nil]
    end

    def explains?
      @options.any? { |name, _| name.start_with?('--explain') }
    end

    # The reference truncates a value after '=' at its first line break.
    def lines(options)
      options.flat_map do |name, text|
        next [name, text].compact if text.nil? || text.include?("\n") || !name.start_with?('--')
        ["#{name}=#{text}"]
      end
    end
  end
end
