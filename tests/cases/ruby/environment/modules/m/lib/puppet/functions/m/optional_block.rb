Puppet::Functions.create_function(:'m::optional_block') do
  dispatch :run do
    param 'Hash', :hash
    optional_block_param 'Callable[2, 2]', :block
  end

  def run(hash, &block)
    return 'no block' unless block

    found = []
    hash.each { |key, value| found << block.call(key, value) }
    found
  end
end
