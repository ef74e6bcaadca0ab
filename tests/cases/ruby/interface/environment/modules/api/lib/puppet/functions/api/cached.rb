# frozen_string_literal: true

Puppet::Functions.create_function(:'api::cached', Puppet::Functions::InternalFunction) do
  dispatch :run do
    cache_param
    param 'String', :key
  end

  def run(cache, key)
    kept = cache.retrieve(self)
    kept[key] = (kept[key] || 0) + 1
  end
end
