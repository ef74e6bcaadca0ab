require 'yaml'

Puppet::Functions.create_function(:'p::parts') do
  dispatch :by_parts do
    param 'String[1]', :key
    param 'Struct[{path=>String[1]}]', :options
    param 'Puppet::LookupContext', :context
  end

  def by_parts(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)
    names = key.gsub(/^::/, '').split('::')
    names.pop
    path = names.empty? ? "#{options['path']}.yaml" : File.join(options['path'], names) + '.yaml'
    data = data_of(path, context)
    context.not_found unless data.include?(key)
    context.cache(key, context.interpolate(data[key]))
  end

  def data_of(path, context)
    return {} unless File.exist?(path)
    context.cached_file_data(path) { |content| YAML.safe_load(content, permitted_classes: [Symbol]) || {} }
  end
end
