# frozen_string_literal: true

Puppet::Functions.create_function(:'api::simple_default') do
  def simple_default(a, b = 'dflt', *rest)
    [a, b, rest]
  end
end
