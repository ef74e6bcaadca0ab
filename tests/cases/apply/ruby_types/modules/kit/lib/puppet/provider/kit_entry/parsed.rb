require 'puppet/provider/parsedfile'

Puppet::Type.type(:kit_entry).provide(:parsed, parent: Puppet::Provider::ParsedFile,
                                               default_target: ENV.fetch('KIT_ENTRIES', '/nonexistent'), filetype: :flat) do
  text_line :comment, match: /\A#/
  text_line :blank, match: /\A\s*\z/
  record_line :parsed, fields: %w[name value comment], optional: %w[comment], separator: /\s+/, joiner: ' '

  def self.header
    "# HEADER: written by a test\n"
  end
end
