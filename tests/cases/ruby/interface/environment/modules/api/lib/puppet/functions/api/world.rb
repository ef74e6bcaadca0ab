# frozen_string_literal: true

Puppet::Functions.create_function(:'api::world') do
  dispatch :run do
    param 'String', :what
    optional_param 'Any', :value
  end

  def run(what, value = nil)
    scope = closure_scope
    env = scope.environment
    case what
    when 'environment' then [env.name.to_s, env.name.class.name, env.to_s, Puppet.lookup(:current_environment).name.to_s]
    when 'modules' then env.modules.map(&:name).sort
    when 'module' then [env.module('api').name, File.basename(env.module('api').path), env.module('nothing').nil?, env.module('api').version, env.module('api').forge_name]
    when 'modulepath' then env.modulepath.map { |path| File.basename(path) }
    when 'find_template' then Puppet::Parser::Files.find_template('api/t.erb', env).to_s.split('/').last(3)
    when 'find_file' then [Puppet::Parser::Files.find_file('api/f.txt', env).to_s.split('/').last(2), Puppet::Parser::Files.find_file('api/none', env)]
    when 'facts' then [scope['facts'].class.name, scope.lookupvar('::facts')['kernel'], scope['::kernel'], scope['trusted']['certname']]
    when 'compiler' then [scope.compiler.class.name, scope.compiler.environment.name.to_s, scope.compiler.node.name, scope.compiler.topscope.is_topscope?]
    when 'node' then [scope.compiler.node.facts.class.name, scope.compiler.node.parameters['kernel'], scope.compiler.node.environment.name.to_s]
    when 'node_facts' then scope.compiler.node.facts.values['kernel']
    when 'catalog' then [scope.catalog.name, scope.catalog.resource('Class[main]').to_s, scope.catalog.resource('File', '/nothing').nil?, scope.catalog.resources.map(&:to_s).first(2)]
    when 'declared'
      found = scope.catalog.resource("Notify[n]")
      [found.to_s, found.title, found.type, found[:message], found['message'], found[:nothing], found.to_hash.transform_keys(&:to_s), found.tags.to_a.first(2), found.line, found.file.to_s.empty?, found.virtual?, found.exported?]
    when 'findresource' then [scope.findresource('Notify[n]').to_s, scope.findresource('notify', 'n').to_s, scope.findresource('Notify[zz]').inspect]
    when 'class' then [scope.catalog.resource('Class', 'api')[:p], scope.compiler.catalog.classes, scope.class_scope('api')&.lookupvar('inner')]
    when 'settings' then [Puppet[:environment].to_s, Puppet.settings[:strict].to_s, Puppet[:strict_variables], Puppet.settings.value(:environment).to_s]
    when 'setting_missing' then Puppet[:nothing_like_it]
    when 'version' then [Puppet.version == Puppet::PUPPETVERSION, Puppet.version.to_i >= 4]
    when 'features' then [Puppet.features.posix?, Puppet.features.root?.class.name, Puppet.features.microsoft_windows?, Puppet.features.nothing_like?]
    when 'lookup_missing' then Puppet.lookup(:nothing_like) { 'd' }
    when 'logs'
      Puppet.notice('n'); Puppet.warning('w'); Puppet.info('i'); Puppet.err('e'); Puppet.debug('d')
      nil
    when 'debug_block' then Puppet.debug { raise 'never' }
    when 'warn_once' then 2.times { Puppet.warn_once('kind', 'key', 'only once') }
    when 'fs'
      fs = Puppet::FileSystem
      path = env.module('api').file('f.txt')
      [fs.exist?(path), fs.read(path), fs.basename_string(path), fs.pathname(path).class.name, fs.size(path), fs.directory?(path), fs.file?(path), fs.dir_string(path).split('/').last,
       fs.each_line(path) { |line| line }.class.name, fs.children(File.dirname(path)).map { |one| fs.basename_string(one) }, fs.readable?(path) ]
    when 'known'
      known = env.known_resource_types
      [known.hostclass('api').name, known.find_hostclass('api::nothing').nil?, known.definition('api::thing').name, known.find_definition('api::thing').name, known.find_definition('file').nil?]
    when 'type' then [Puppet::Type.type(:file).name.to_s, Puppet::Type.type('nothing_like').nil?, Puppet::Type.type(:notify).validattr?(:message), Puppet::Type.type(:file).validattr?('nothing')]
    when 'resource' then [Puppet::Resource.new('file', '/x').to_s, Puppet::Resource.new('File[/y]').title, Puppet::Resource.new(:class, 'a::b').ref, Puppet::Resource.new('api::thing', 't', parameters: { a: 1 })[:a]]
    when 'stack' then [Puppet::Pops::PuppetStack.stacktrace.size, Puppet::Pops::PuppetStack.top_of_stack.last]
    when 'loader' then [loader.class.name.nil?, (loader.load(:function, 'api::twice') || 'none').class.name.nil?]
    when 'load_function' then Puppet.lookup(:loaders).public_environment_loader.load(:function, 'api::twice').call(scope, 4)
    when 'load_function_old' then scope.compiler.loaders.private_environment_loader.load(:function, 'api::twice').call(scope, 5)
    when 'override' then Puppet.override(mine: 5) { Puppet.lookup(:mine) }
    when 'facter' then Facter.respond_to?(:value)
    when 'self' then [self.class.name, self.class.dispatcher.nil?]
    end
  end
end
