require 'yaml'

Puppet::Functions.create_function(:'p::patterns') do
  dispatch :by_pattern do
    param 'String[1]', :key
    param 'Hash', :options
    param 'Puppet::LookupContext', :context
  end

  def by_pattern(key, options, context)
    return context.cached_value(key) if context.cache_has_key(key)
    search(key, options['node'], data_of(options['path'], context), context)
  end

  def data_of(path, context)
    context.cached_file_data(path) do |content|
      begin
        data = if Gem::Version.new(RUBY_VERSION) >= Gem::Version.new('2.7')
                 YAML.safe_load(content, permitted_classes: [Regexp], filename: path, aliases: true)
               else
                 YAML.load(content, path)
               end
        if data.is_a?(Hash)
          data
        else
          raise Puppet::DataBinding::LookupError, format(_('%{path} holds no hash'), path: path) if Puppet[:strict] == :error
          {}
        end
      rescue YAML::SyntaxError => error
        raise Puppet::DataBinding::LookupError, error.message
      end
    end
  end

  def search(key, node, data, context)
    data.each do |label, values|
      pattern = values['__regex']
      Puppet.debug("Is '#{node}' of '#{label}' (#{pattern})?")
      next unless pattern.match(node)
      next unless values.include?(key)
      return context.cache(key, context.interpolate(values[key]))
    end
    return context.not_found
  rescue => error
    Puppet.debug(error)
    return nil
  end
end
