# Blocks of commands in a Markdown page, and their results.
require 'json'
require 'open3'
require 'shellwords'
require 'yaml'

# The notes are from the comments above the block.
Block = Struct.new(:lines, :notes, :line) do
  def all(word) = notes.filter_map { |note| note[/\A#{word} (.+)/, 1] }
  def serves = all('serves').first

  # Continued lines form one command; comments are skipped.
  def commands
    pending = +''
    found = lines.filter_map do |line|
      pending << line << "\n"
      is_whole = Open3.capture2e('bash', '-n', stdin_data: pending).last.success?
      next unless is_whole

      command = pending.strip
      pending = +''
      command unless command.empty? || command.start_with?('#')
    end
    pending.empty? ? found : found + [pending.strip]
  end

  def placeholders
    all('with').flat_map { |note| Shellwords.split(note) }.to_h { |pair| pair.split('=', 2) }
  end
end

# Fenced blocks without a language, or with "sh", are commands, unless a comment states otherwise.
def page_blocks(page)
  blocks = []
  notes = []
  inside = nil
  File.foreach(page, chomp: true).with_index(1) do |line, number|
    if line.start_with?('```')
      if inside
        blocks << inside if inside.line
        inside = nil
      else
        inside = Block.new([], notes, (number if %w[``` ```sh].include?(line)))
        notes = []
      end
    elsif inside
      inside.lines << line
    elsif (note = line[/\A<!-- commands: (.*) -->\z/, 1])
      notes << note
    elsif !line.strip.empty?
      notes.empty? or abort("documentation: line #{number}: no block follows '#{notes.last}'")
    end
  end
  blocks
end

# The examples of the program's commands, with notes from a file that is keyed by command. "line" counts them.
def example_blocks(program, page)
  notes = YAML.safe_load(File.read(page))
  help = JSON.parse(Open3.capture2(program, 'help', '--format', 'json').first)
  examples = help['commands'].flat_map { |command| command['examples'] }.map { |example| example['command'] }
  unknown = notes.keys - examples
  unknown.empty? or abort("documentation: there is no example #{unknown.join(', ')}")
  examples.map.with_index(1) { |example, number| Block.new([example], notes.fetch(example, []), number) }
end

# Returns where the block was run, and the problem.
def run_block(block, shell)
  other = block.all('run by').first
  return [:elsewhere, missing_lines(block, other.split(', '))] if other

  allowed = [0, *block.all('exit').map(&:to_i)]
  shell.directory = nil
  failures = shell.all_succeed(block.all('before'))
  shell.directory = block.all('in').first
  *plain, last = block.commands.map { |command| command.gsub(/\b[A-Z]{3,}\b/) { |name| block.placeholders.fetch(name, name) } }
  plain << last unless block.serves
  plain.each do |command|
    output, code = shell.run(command)
    failures << "#{command}: exit #{code}\n#{output}" unless allowed.include?(code)
  end
  failures += block.serves ? shell.serve(last, block.serves) { shell.all_succeed(block.all('then')) } : shell.all_succeed(block.all('then'))
  [:here, failures]
end

# Lines that none of the files contains.
def missing_lines(block, files)
  paths = files.map { |file| File.join(Shell::ROOT, file) }
  missing = paths.reject { |path| File.file?(path) }
  return ["there is no #{missing.join(', ')}"] unless missing.empty?

  text = paths.map { |path| File.read(path) }.join
  block.commands.map { |command| command.sub(/\s+# .*/, '') }.reject { |command| text.include?(command) }
       .map { |command| "#{files.join(', ')}: no `#{command}`" }
end
