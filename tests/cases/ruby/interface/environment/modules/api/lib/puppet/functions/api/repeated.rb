# frozen_string_literal: true

Puppet::Functions.create_function(:'api::repeated') do
  dispatch :strings do
    required_repeated_param 'String[1]', :names
  end
  dispatch :numbers do
    param 'Integer', :first
    optional_param 'Float', :second
    repeated_param 'Numeric', :rest
  end
  argument_mismatch :on_hash do
    param 'Hash', :h
  end
  argument_mismatch :on_two do
    param 'Hash', :h
    param 'Any', :other
  end

  def strings(*names)
    names
  end

  def numbers(first, second = 0.5, *rest)
    { 'first' => first, 'second' => second, 'rest' => rest }
  end

  def on_hash(h)
    "no hash of #{h.size}, please"
  end

  def on_two(_h, other)
    "nor with #{other.inspect}"
  end
end
