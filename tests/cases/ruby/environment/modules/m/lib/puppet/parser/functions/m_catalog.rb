Puppet::Parser::Functions.newfunction(:m_catalog, type: :rvalue, arity: -2) do |args|
  catalog = compiler.catalog
  case args[0]
  when 'refs' then catalog.resources.map(&:ref).sort
  when 'resource'
    found = catalog.resource(args[1])
    found && [found.type, found.title, found[:mode], found['owner'], found.to_hash.keys.map(&:to_s).sort, found.virtual?, found.exported?]
  when 'type and title' then catalog.resource('File', args[1])&.ref
  when 'find' then [findresource(args[1])&.ref, findresource('File', '/nothing')&.ref]
  when 'class' then [catalog.resource('Class', args[1])&.title, catalog.classes.include?(args[1].downcase)]
  when 'own' then [resource.type, resource.title, resource[:size], resource.name]
  when 'tags' then [function_tagged(['main']), function_tagged(['nothing']), resource.tagged?(args[1]), catalog.resource(args[2]).tagged?('marked')]
  when 'known'
    [environment.known_resource_types.find_hostclass(args[1])&.name, find_hostclass('nothing_such'), find_definition('box')&.name.to_s]
  when 'names' then [compiler.topscope['top'], compiler.environment.to_s, environment.name.to_s, compiler.node.name]
  when 'select' then catalog.resources.select { |one| one.type == 'File' }.map(&:title).sort
  when 'redact'
    own = catalog.resource(resource.type, resource.title)
    own.parameters[:size].value = args[1]
    other = own.parameters[:label].dup
    other.value = args[2]
    own.parameters[:label] = other
    own.parameters.map { |name, one| [name.to_s, one.value.to_s] }.sort
  when 'params' then compiler.catalog.resource(args[1]).to_hash.map { |name, value| [name.to_s, value.to_s] }.sort
  end
end
