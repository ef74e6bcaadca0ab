Puppet::Functions.create_function(:'h::key') do
  dispatch :key do
    param 'String[1]', :key
    param 'Hash[String[1],Any]', :options
    param 'Puppet::LookupContext', :context
  end
  def key(key, options, context)
    case key
    when 'environment' then return [context.environment_name.class.name, context.environment_name.to_s]
    when 'entries' then context.cache_all('a' => 1, 'b' => 2); return context.cached_entries.map { |k, v| "#{k} #{v}" }.last(2)
    when 'foreign' then raise ArgumentError, 'foreign'
    when 'own' then raise Puppet::Error, 'own'
    when 'data' then raise Puppet::DataBinding::LookupError, 'data'
    when /\Afile_/ then return file_data(key, options['path'], context)
    when 'no_method' then return context.respond_to?(:no_such) || context.respond_to?(:not_found)
    end
    return context.cached_value(key) if context.cache_has_key(key)
    context.not_found unless key.start_with?('k_')
    text = context.cached_file_data(options['path']) { |content| content.strip.upcase }
    context.cache(key, context.interpolate("#{options['prefix']} #{key} #{text} %{facts.x}"))
  end

  # The block's result is returned again, including its modifications.
  def file_data(key, path, context)
    kept = context.cached_file_data("#{path}.list") { |content| { lines: content.lines.size, pattern: /\Asome/i, 'calls' => [] } }
    kept['calls'] << key
    [kept[:lines], kept[:pattern].match?('SOME'), *kept['calls']]
  end
end
