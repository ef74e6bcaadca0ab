# Commands that running text mentions: whether they exist, with the options that are mentioned.
require 'json'
require 'open3'

class NamedCommands
  Result = Struct.new(:named, :problems)

  def initialize(program)
    help = ask(program, 'help')
    @commands = help['commands'].to_h { |command| [command['name'], command] }
    @common = option_names(help['common_options']) + %w[--help --all]
    @settings = ask(program, 'config', 'print', 'all').keys
    @dev = Open3.capture2(File.expand_path('../../../dev', __dir__), 'help').first.scan(/^  ([a-z][a-z-]+)/).flatten.uniq
  end

  def check(text)
    named = text.gsub(/^```.*?^```/m, '').scan(%r{`((?:bunraku|\./dev)(?: [^`]+)?)`}).flatten
    Result.new(named.size, named.filter_map { |command| (problem = misnamed(command.split)) && "`#{command}`: #{problem}" })
  end

  private

  def ask(program, *words) = JSON.parse(Open3.capture2(program, *words, '--format', 'json').first)

  def option_names(options)
    options.flat_map { |option| option['names'].scan(/(?<![\w-])--?[\w-]+/) }
  end

  # Returns nil when the command is valid.
  def misnamed(words)
    return (@dev.include?(words[1]) ? nil : 'there is no such command') if words.first == './dev'

    name = [3, 2, 1].map { |count| words[1, count].join(' ') }.find { |candidate| @commands.key?(candidate) }
    return wrong_options(words, option_names(@commands[name]['options']) + @common) if name

    is_group = @commands.keys.any? { |known| known.start_with?("#{words[1]} ") }
    is_group || words[1].nil? || words[1] =~ /\A([A-Z]|--version|-V)/ ? nil : 'there is no such command'
  end

  def wrong_options(words, known)
    wrong = words.filter_map { |word| word[/\A--[\w-]+/] }.reject do |option|
      plain = option.delete_prefix('--').sub(/\Ano-/, '')
      known.include?(option) || known.include?("--#{plain}") || @settings.include?(plain)
    end
    "it has no option #{wrong.join(', ')}" unless wrong.empty?
  end
end
