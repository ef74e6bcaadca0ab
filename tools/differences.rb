#!/usr/bin/env ruby
# Makes docs/differences.md and the pages under docs/differences/ from docs/differences.yaml. With --check nothing is written:
# pages that do not match the data file are reported, and so are cases that name other differences than the file does.
require 'date'
require 'yaml'

ROOT = File.expand_path('..', __dir__)
DOCS = File.join(ROOT, 'docs')
EFFECTS = ['same catalog', 'other catalog', 'other message', 'refused'].freeze
INTRODUCTION = <<~TEXT.freeze
  # Where Bunraku differs from the reference, and why

  <!-- Made by tools/differences.rb from docs/differences.yaml: edit that, then run `./dev docs`. -->

  The reference is Puppet 7.23 as Debian 12 packages it, with `strict=error` and `strict_variables=true`. Every known difference
  has an entry with an identifier in `docs/differences.yaml`, and `bunraku describe D65` shows it. A test case that shows a
  difference is marked with `# case: differs=D1`; `./dev oracle` then expects the two to differ, and reports when they no longer do.
  Identifiers are never reused.

  Each entry describes the behaviour of the reference, the behaviour of Bunraku, and the reason.
TEXT

def number(entry)
  entry['id'][1..].to_i
end

def problems_of(data)
  problems = []
  entries = data['entries']
  entries.each_cons(2) { |a, b| problems << "#{b['id']} stands after #{a['id']}" if number(a) >= number(b) }
  entries.each do |entry|
    id = entry['id']
    problems << "#{id}: there is no area '#{entry['area']}'" unless data['areas'].key?(entry['area'])
    problems << "#{id}: there is no effect '#{entry['effect']}'" unless EFFECTS.include?(entry['effect'])
    problems << "#{id}: a title and a text are needed" if [entry['title'], entry['text']].any? { |text| text.to_s.strip.empty? }
    problems << "#{id}: since is a day, in quotes" unless entry['since'].to_s.match?(/\A\d{4}-\d\d-\d\d\z/)
    long = entry.fetch('oracle', {}).values.find { |pattern| pattern.size > 80 }
    problems << "#{id}: a pattern of #{long.size} characters says nothing to a reader" if long
  end
  problems
end

# The cases that claim to show a difference: {"D1" => ["catalog/overrides"]}.
def cases_by_entry
  cases = Hash.new { |all, id| all[id] = [] }
  Dir[File.join(ROOT, 'tests/cases/**/*.{cases,pp,epp,case,cmd}')].sort.each do |path|
    next unless File.file?(path)
    name = path.delete_prefix(File.join(ROOT, 'tests/cases/')).sub(/\.\w+\z/, '')
    File.binread(path).scan(/^\s*(?:#\s*case:)?.*\bdiffers=(D\d+)/) { |(id)| cases[id] |= [name] }
  end
  cases
end

def problems_of_cases(entries)
  known = entries.to_h { |entry| [entry['id'], entry.fetch('cases', [])] }
  cases = cases_by_entry
  problems = (cases.keys - known.keys).map { |id| "#{cases[id].join(', ')}: there is no #{id}" }
  known.each do |id, listed|
    (listed - cases[id]).each { |name| problems << "#{id}: the case #{name} does not say differs=#{id}" }
    (cases[id] - listed).each { |name| problems << "#{id}: the case #{name} is not listed" }
  end
  problems
end

def row(*cells)
  "| #{cells.map { |cell| cell.to_s.gsub('|', '\|') }.join(' | ')} |\n"
end

def anchor(heading)
  heading.downcase.gsub(/[^\w\- ]/, '').tr(' ', '-')
end

def page(title, entries)
  text = "# #{title}: differences from the reference\n\n"
  text << "<!-- Made by tools/differences.rb from docs/differences.yaml: edit that, then run `./dev docs`. -->\n\n"
  text << row('', 'Difference', 'Effect', 'Since', 'Cases') << row('---', '---', '---', '---', '---')
  entries.each do |entry|
    link = "[#{entry['id']}](##{anchor("#{entry['id']} #{entry['title']}")})"
    text << row(link, entry['title'], entry['effect'], entry['since'], entry.fetch('cases', []).join(', '))
  end
  entries.each { |entry| text << "\n## #{entry['id']} #{entry['title']}\n\n#{entry['text'].strip}\n" }
  text
end

def index(data)
  text = INTRODUCTION.dup << "\n" << row('Area', 'Entries', *EFFECTS) << row(*['---'] * (2 + EFFECTS.size))
  data['areas'].each do |area, title|
    entries = data['entries'].select { |entry| entry['area'] == area }
    counts = EFFECTS.map { |effect| entries.count { |entry| entry['effect'] == effect } }
    text << row("[#{title}](differences/#{area}.md)", entries.size, *counts)
  end
  text << "\nWhere the documentation of the language and the reference differ, Bunraku behaves like the reference:\n"
  text << "[list of these places](differences/documents.md).\n\n" << row('', 'Difference', 'Effect') << row('---', '---', '---')
  data['entries'].each do |entry|
    place = "differences/#{entry['area']}.md##{anchor("#{entry['id']} #{entry['title']}")}"
    text << row("[#{entry['id']}](#{place})", entry['title'], entry['effect'])
  end
  text
end

def files_of(data)
  files = { 'differences.md' => index(data) }
  data['areas'].each do |area, title|
    files["differences/#{area}.md"] = page(title, data['entries'].select { |entry| entry['area'] == area })
  end
  files
end

data = YAML.safe_load(File.read(File.join(DOCS, 'differences.yaml')))
problems = problems_of(data) + problems_of_cases(data['entries'])
if problems.empty?
  files_of(data).each do |name, text|
    path = File.join(DOCS, name)
    next if File.exist?(path) && File.read(path) == text
    ARGV.include?('--check') ? problems << "docs/#{name} is not made from docs/differences.yaml: run ./dev docs" : File.write(path, text)
  end
end
warn(*problems) unless problems.empty?
exit(problems.empty?)
