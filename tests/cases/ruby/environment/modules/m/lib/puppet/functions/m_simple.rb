# Without a dispatch of its own.
Puppet::Functions.create_function(:m_simple) do
  def m_simple(a, b = 2, *rest)
    [a, b, rest, closure_scope['facts'].class.name]
  end
end
