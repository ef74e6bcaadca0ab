# A provider that inherits from a native one.
Puppet::Type.type(:package).provide(:kit_gem, parent: :gem) {}
