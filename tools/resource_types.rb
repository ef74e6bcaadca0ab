#!/usr/bin/env ruby
# Writes src/resource_types/resource_types.def: the resource types of the installed reference.
#
#   tools/resource_types.rb [MODULE_FOLDER...] > src/resource_types/resource_types.def
#
# Types of the given modules are written too, each with the digest of its file: a module's own file
# is only trusted to define the same type when it has that digest.
require 'digest'
require 'puppet'

Puppet.initialize_settings(['--confdir', '/nonexistent', '--vardir', '/nonexistent'])

def quoted(text)
  "\"#{text.gsub(/[\\"]/) { |character| "\\#{character}" }}\""
end

def list(names)
  quoted(names.map(&:to_s).join(' '))
end

# Modules that are part of an agent package are named NAME_core.
def macro_of(folder)
  folder.nil? || folder.end_with?('_core') ? 'RESOURCE_TYPE' : 'MODULE_TYPE'
end

def write_type(name, digest, folder = nil)
  type = Puppet::Type.type(name)
  parameters = type.parameters.map(&:to_s)
  properties = type.properties.map { |property| property.name.to_s }
  puts "#{macro_of(folder)}(#{quoted(name)}, #{quoted(digest)}, #{type.isomorphic?}, #{list(type.key_attributes)},"
  puts "              #{list(properties)},"
  puts "              #{list(parameters)})"
  type.title_patterns.each { |pattern, parts| write_pattern(name, pattern, parts) }
end

def write_pattern(name, pattern, parts)
  raise "#{name}: a title pattern runs code" if parts.any? { |_, code| code }
  puts "TITLE_PATTERN(#{quoted(name)}, #{quoted(pattern.inspect[%r{\A/(.*)/\w*\z}m, 1].gsub('\/', '/'))}, " \
       "#{(pattern.options & Regexp::MULTILINE) != 0}, #{list(parts.map(&:first))})"
end

def core_types
  folder = File.join(File.dirname($LOADED_FEATURES.grep(%r{/puppet/type\.rb\z}).first), 'type')
  Dir.glob(File.join(folder, '*.rb')).map { |file| File.basename(file, '.rb') }.sort
end

def module_types(folder)
  $LOAD_PATH.unshift(File.join(folder, 'lib'))
  Dir.glob(File.join(folder, 'lib/puppet/type/*.rb')).sort.map do |file|
    [File.basename(file, '.rb'), Digest::SHA256.file(file).hexdigest]
  end
end

puts <<~TEXT
  // Written by tools/resource_types.rb; do not edit.
  //
  // METAPARAMETER(name)
  // RESOURCE_TYPE(name, digest of its file when a module brings it, isomorphic, key attributes,
  //               properties, parameters)
  // MODULE_TYPE(...): the same, of a module that does not come with an agent
  // TITLE_PATTERN(type, regular expression, its dot matches line ends, attributes of the captures)

TEXT
Puppet::Type.metaparams.each { |name| puts "METAPARAMETER(#{quoted(name.to_s)})" }
puts
core_types.each { |name| write_type(name, '') }
ARGV.each do |folder|
  module_types(folder).each { |name, digest| write_type(name, digest, folder) }
end
