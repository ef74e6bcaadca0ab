# A provider whose versions may be patterns.
Puppet::Type.type(:package).provide :kit_table, parent: :kit_stall do
  has_features :versionable, :version_ranges

  def insync?(found)
    notice("compares #{found} with #{resource[:ensure]}")
    File.fnmatch(resource[:ensure].to_s, found.to_s)
  end
end
