# frozen_string_literal: true

Puppet::Functions.create_function(:'api::block_info') do
  dispatch :run do
    optional_block_param
  end

  def run(&block)
    return 'none' unless block

    [block.arity, block.parameters.map(&:first).map(&:to_s), block.lambda?.to_s]
  end
end
