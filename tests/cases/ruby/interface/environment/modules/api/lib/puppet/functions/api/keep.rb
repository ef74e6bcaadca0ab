# Keeps a lambda, to be called later.
Puppet::Functions.create_function(:'api::keep') do
  dispatch :keep do
    block_param
  end

  dispatch :call_kept do
    required_repeated_param 'Any', :arguments
  end

  def keep(&block)
    @block = block
    block.parameters.map { |kind, name| "#{kind} #{name}" }
  end

  def call_kept(*arguments)
    @block.call(*arguments)
  end
end
