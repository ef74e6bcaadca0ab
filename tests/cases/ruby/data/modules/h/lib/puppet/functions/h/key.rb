Puppet::Functions.create_function(:'h::key') do
  dispatch :key do
    param 'String[1]', :key
    param 'Hash[String[1],Any]', :options
    param 'Puppet::LookupContext', :context
  end
  def key(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)
    context.not_found unless key.start_with?('k_')
    text = context.cached_file_data(options['path']) { |content| content.strip.upcase }
    context.cache(key, context.interpolate("#{options['prefix']} #{key} #{text} %{facts.x}"))
  end
end
