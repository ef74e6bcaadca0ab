#!/usr/bin/env ruby
# site_pages.rb PROGRAM DIRECTORY: writes the pages of the site: those of docs/, and a reference from the program's data on
# its commands, settings, resource types, functions and diagnostics.
require 'fileutils'
require 'json'
require 'open3'

PROGRAM, TARGET = ARGV
ROOT = File.expand_path('..', __dir__)
COPIES = { 'README.md' => 'index.md', 'ARCHITECTURE.md' => 'architecture.md', 'CONTRIBUTING.md' => 'contributing.md',
           'CHANGELOG.md' => 'changes.md' }.freeze

def ask(*words)
  output, status = Open3.capture2(PROGRAM, *words)
  status.success? or abort("site_pages: #{PROGRAM} #{words.join(' ')} failed")
  JSON.parse(output)
end

def write(name, text)
  path = File.join(TARGET, name)
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, text)
end

# Text of the registries is not Markdown: characters with a meaning there are escaped.
def plain(text)
  text.to_s.gsub(/[\\`*_{}\[\]<>|#]/) { |c| "\\#{c}" }
end

def cell(text)
  plain(text).gsub("\n", ' ')
end

def table(heads, rows)
  return '' if rows.empty?
  "| #{heads.join(' | ')} |\n|#{'---|' * heads.size}\n" + rows.map { |row| "| #{row.join(' | ')} |\n" }.join + "\n"
end

def options_table(options)
  table(%w[option meaning], options.map { |o| ["`#{o['names']}`", cell([o['help'], *o['choices']&.join(', ')].join(': '))] })
end

def command_page(help)
  text = "# Commands\n\nMade from what the program says of itself (`bunraku help --format json`).\n\n"
  help['commands'].each do |command|
    text << "## bunraku #{command['name']}\n\n#{plain(command['summary'])}.\n\n```\n#{command['usage']}\n```\n\n"
    text << "#{plain(command['details'])}\n\n" unless command['details'].empty?
    text << table(%w[argument meaning], command['arguments'].map { |a| ["`#{a['name']}`", cell(a['help'])] })
    text << options_table(command['options'])
    text << "Formats: #{command['formats'].map { |f| "`#{f}`" }.join(', ')}.\n\n" unless command['formats'].empty?
    command['examples'].each { |e| text << "```\n#{e['command']}\n```\n#{plain(e['explanation'])}\n\n" }
  end
  text + "## Options of all commands\n\n" + options_table(help['common_options'])
end

def settings_page
  rows = ask('config', 'print', 'all', '--format', 'json', '--confdir', '/nonexistent').map { |k, v| ["`#{k}`", v.empty? ? '' : "`#{v}`"] }
  "# Settings\n\nAll that the reference knows, with the values that they have for root without puppet.conf.\n\n" + table(%w[setting value], rows)
end

def described(kind, *options)
  ask('describe', kind, *options, '--format', 'json')
end

# The parts of an entry: its name or code, then its members in order.
def entries(title, kind)
  text = "# #{title}\n\nMade from what the program says of itself (`bunraku describe #{kind}`).\n\n"
  described(kind).each do |entry|
    name = entry['name'] || entry['code'] || entry['id']
    text << "## #{plain(name)}\n\n"
    entry.each { |key, value| text << member(key, value) unless %w[name kind].include?(key) || value.to_s.empty? }
  end
  text
end

def member(key, value)
  case value
  when Array
    return '' if value.empty?
    "#{plain(key)}:\n\n" + value.map { |v| "- #{v.is_a?(String) ? "`#{v.gsub("\n", ' ')}`" : cell(v.is_a?(Hash) ? v.map { |k, w| "#{k}: #{w}" }.join('; ') : v)}\n" }.join + "\n"
  when String
    value.include?("\n") || %w[example wrong right].include?(key) ? "#{plain(key)}:\n\n```\n#{value}\n```\n\n" : "#{plain(value)}\n\n"
  else
    "#{plain(key)}: #{cell(value)}\n\n"
  end
end

def attribute_table(kind, attributes)
  table([kind, 'meaning'], attributes.map { |a| ["`#{a['name']}`", cell(a['documentation'])] })
end

# Types that are not native only have names of attributes.
def attributes_of(type)
  named = { 'property' => type['properties'], 'parameter' => type['parameters'] }
  named.map do |kind, names|
    all = type['attributes']&.select { |a| a['kind'] == kind }
    all ? attribute_table(kind, all) : names.empty? ? '' : "#{kind}: #{names.map { |n| "`#{n}`" }.join(', ')}\n\n"
  end.join
end

def type_section(type)
  text = "## #{plain(type['name'])}\n\n"
  text << "#{plain(type['documentation'])}\n\n" if type['documentation']
  text << "Named by: #{type['key_attributes'].map { |n| "`#{n}`" }.join(', ')}\n\n" << attributes_of(type)
  text << table(['provider', 'meaning', 'can be used', 'default', 'features'], (type['providers'] || []).map do |p|
    ["`#{p['name']}`", *%w[documentation suitability default].map { |key| cell(p[key]) }, cell((p['features'] || []).join(', '))]
  end)
end

def types_page
  types = described('types', '--meta')
  "# Resource types\n\nMade from what the program says of itself (`bunraku describe types`). Types without descriptions are known to " \
    "the compiler; applying them needs Ruby code of a module.\n\n## Metaparameters\n\nAll types have them.\n\n" +
    attribute_table('metaparameter', types.first['metaparameters']) + types.map { |type| type_section(type) }.join
end

# The site contains only the pages: a link to another file of the repository becomes the file's
# path.
def without_foreign_links(text, page)
  text.gsub(/\[([^\]]*)\]\(([^)#:]+)(#[^)]*)?\)/) do |link|
    path = File.expand_path(Regexp.last_match(2), File.dirname(page))
    File.exist?(path) ? link : "`#{Regexp.last_match(2).delete_prefix('../')}`"
  end
end

# Debian's theme requests scripts by names that its package does not contain. The second script would mark tables for the theme's style,
# which css/tables.css does.
def write_theme_files
  write('js/jquery-3.6.0.min.js', File.read('/usr/share/javascript/jquery/jquery.min.js'))
  write('js/theme_extra.js', '')
  write('css/tables.css', <<~CSS)
    .rst-content .section table, .rst-content section table { margin-bottom: 24px; border-collapse: collapse }
    .rst-content table th, .rst-content table td { padding: 6px 12px; border: 1px solid #e1e4e5; text-align: left; vertical-align: top }
    .rst-content table code { white-space: nowrap }
    .rst-content pre code { font-size: 13px; line-height: 1.5 }
  CSS
end

FileUtils.rm_rf(TARGET)
FileUtils.mkdir_p(TARGET)
FileUtils.cp_r(Dir[File.join(ROOT, 'docs', '*.md')] + [File.join(ROOT, 'docs', 'differences')], TARGET)
COPIES.each { |from, to| FileUtils.cp(File.join(ROOT, from), File.join(TARGET, to)) }
# Links between documents of the repository become links between pages. Anchors on the site have no consecutive
# hyphens.
Dir[File.join(TARGET, '{*,differences/*}.md')].each do |page|
  text = File.read(page).gsub(/\]\([^)#\s]*#[^)]+\)/) { |link| link.gsub(/-{2,}/, '-') }
  COPIES.each { |from, to| text.gsub!(/\]\((?:\.\.\/)?#{Regexp.escape(from)}/, "](#{to}") }
  text.gsub!(%r{\]\(docs/}, '](')
  File.write(page, without_foreign_links(text, page))
end
write_theme_files
write('reference/commands.md', command_page(ask('help', '--format', 'json')))
write('reference/settings.md', settings_page)
write('reference/types.md', types_page)
write('reference/functions.md', entries('Functions', 'functions'))
write('reference/diagnostics.md', entries('Diagnostics', 'diagnostics'))
