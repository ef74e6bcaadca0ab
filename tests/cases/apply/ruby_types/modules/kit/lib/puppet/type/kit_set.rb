# Makes a file of all notes' names.
Puppet::Type.newtype(:kit_set) do
  newparam(:path, namevar: true)
  newparam(:secret)
  newparam(:fact)
  newparam(:entry)
  newparam(:mode, parent: Puppet::Type::File::Mode)

  def generate
    options = { path: self[:path], ensure: :file }
    options[:mode] = self[:mode] if self[:mode]
    [Puppet::Type.type(:file).new(options)]
  end

  def eval_generate
    notes = catalog.resources.select { |one| one.is_a?(Puppet::Type.type(:kit_note)) }
    file = catalog.resource("File[#{self[:path]}]")
    file[:content] = notes.map { |one| "#{::File.basename(one.title)} #{one[:size]}\n" }.sort.join
    file[:content] = "#{Facter.value(self[:fact])} of #{Facter.value(:kernel)}, #{Facter.fact(:nothing).inspect}\n" if self[:fact]
    file[:content] = properties_of_entry.inspect if self[:entry]
    file.parameters[:content].sensitive = self[:secret]
    raise "not as it was set" unless file.parameters[:owner].nil? && !!file.parameters[:content].sensitive == !!self[:secret]
    [file]
  end

  def properties_of_entry
    type = Puppet::Type.type(:kit_entry)
    Puppet::Resource.indirection.find("Kit_entry/#{self[:entry]}").select { |name,| type.validproperty?(name) }.sort
  end

  autorequire(:kit_note) { catalog.resources.grep(Puppet::Type.type(:kit_note)).map(&:title) }
end
