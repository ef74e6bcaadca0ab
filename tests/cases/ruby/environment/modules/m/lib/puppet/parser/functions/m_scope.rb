Puppet::Parser::Functions.newfunction(:m_scope, type: :rvalue) do |args|
  case args[0]
  when 'look up' then [lookupvar(args[1]), self[args[1]], lookupvar("::#{args[1]}")]
  when 'class' then [lookupvar("#{args[1]}::size"), lookup_qualified_variable(args[1], 'size')]
  when 'missing' then lookupvar('nothing_such')
  when 'missing class' then lookupvar('nothing_such::x')
  when 'there' then [exist?(args[1]), exist?('nothing_such'), include?(args[1]), bound?(args[1]), has_local_variable?(args[1])]
  when 'hash' then to_hash.select { |name, _| args[1].include?(name) }
  when 'facts' then [lookupvar('facts').class.to_s, lookupvar('::kernel')]
  when 'undef' then [undef_as('x', nil), undef_as('x', 1), Puppet::Parser::Scope.true?(''), Puppet::Parser::Scope.true?('a')]
  when 'name' then to_s
  when 'defaults' then lookupdefaults('File').map { |name, one| [name.to_s, one.name.to_s, one.value] }
  when 'functions'
    [Puppet::Parser::Functions.function('upcase'), Puppet::Parser::Functions.function(:nothing_such),
     Puppet::Parser::Functions.function(:m_old), Puppet::Parser::Functions.rvalue?(:m_old)]
  when 'chain' then function_m_scope(['look up', args[1]])
  when 'call' then [call_function('upcase', ['x']), call_function(:join, [[1, 2], '-'])]
  when 'only current' then function_regsubst(%w[abc b X])
  when 'each' then call_function('map', [[1, 2]]) { |x| x * 2 }
  when 'change'
    args[1]['added'] = 1
    args[1].keys
  when 'parent' then [parent.class.to_s, is_topscope?, compiler.topscope.is_topscope?]
  when 'template'
    wrapper = Puppet::Parser::TemplateWrapper.new(self)
    wrapper.result("<% 2.times do -%>\n<%= @x %> <%= scope['x'] %>\n<% end -%>\n<%= has_variable?('x') %>")
  when 'files' then [Puppet::Parser::Files.find_template('m/none.erb', environment), Puppet::Parser::Files.find_file('/etc', environment)]
  when 'module' then [lookupvar('module_name'), lookupvar('caller_module_name')]
  end
end
