# The modules in a directory of tests/oracle/modern that one of them needs.
require 'json'

class ModuleLinks
  def initialize(directory)
    @modules = File.join(directory, 'modules')
  end

  # The module and everything that its metadata asks for, with the modules that agents' packages contain.
  def modules_of(name) = needed(name, []) | Dir.children(@modules).grep(/_core\z/)

  private

  def needed(name, found)
    metadata = "#{@modules}/#{name}/metadata.json"
    return found if found.include?(name) || !File.file?(metadata)

    found << name
    JSON.parse(File.read(metadata)).fetch('dependencies', []).each { |one| needed(one['name'].split(%r{[/-]}, 2).last, found) }
    found
  end
end
