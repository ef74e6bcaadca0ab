# Attributes of the native type file that attributes of modules inherit from: they check and convert
# the values of types that generate files.

# frozen_string_literal: true

Puppet::Type::File::Group.class_eval do
  validate do |group|
    raise Puppet::Error, "Invalid group name '#{group.inspect}'" if !group || group == ''
  end
end

Puppet::Type::File::Mode.class_eval do
  include Puppet::Util::SymbolicFileMode

  validate do |mode|
    raise Puppet::Error, "The file mode specification must be a string, not '#{mode.class.name}'" unless mode.is_a?(String)
    raise Puppet::Error, "The file mode specification is invalid: #{mode.inspect}" unless valid_symbolic_mode?(mode)
  end

  munge { |mode| normalize_symbolic_mode(mode) }
  unmunge { |mode| display_mode(mode) }
end

Puppet::Type::File::ParameterSource.class_eval do
  validate do |sources|
    Array(sources).each { |source| check_source(source) unless Puppet::Util.absolute_path?(source) }
  end

  munge do |sources|
    Array(sources).map do |source|
      source = source.sub(%r{/+$}, '')
      Puppet::Util.absolute_path?(source) ? "file://#{source}" : source
    end
  end

  def check_source(source)
    uri = URI.parse(Puppet::Util.uri_encode(source))
    self.fail("Cannot use relative URLs '#{source}'") unless uri.absolute?
    self.fail("Cannot use opaque URLs '#{source}'") unless uri.hierarchical?
    return if %w[file puppet http https].include?(uri.scheme)

    self.fail("Cannot use URLs of type '#{uri.scheme}' as source for fileserving")
  rescue URI::Error => error
    self.fail(Puppet::Error, "Could not understand source #{source}: #{error}")
  end
end
