# frozen_string_literal: true

# The provider of a type by schema, which has no attribute for it.
class Puppet::Provider::TPlainApi::TPlainApi
  def get(_context)
    []
  end

  def set(_context, _changes); end
end
