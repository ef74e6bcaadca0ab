Puppet::Functions.create_function(:'m::inside') do
  dispatch(:inside) do
    param 'String', :what
    repeated_param 'Any', :rest
    optional_block_param
  end

  def inside(what, *rest, &block)
    case what
    when 'closure scope' then [closure_scope['top'], closure_scope.lookupvar('::top'), closure_scope.class.name]
    when 'facts' then closure_scope['facts'].class.name
    when 'keep'
      @@kept = block
      nil
    when 'kept' then @@kept.call(rest[0])
    when 'twice' then [block.call(1), block.call(2), block.parameters.size]
    when 'nested' then call_function('map', rest[0]) { |x| call_function('map', [x]) { |y| block.call(y) } }
    when 'reduce' then call_function('reduce', rest[0], 0) { |sum, x| sum + x }
    when 'each' then call_function('each', rest[0]) { |k, v| block.call("#{k}=#{v}") }
    when 'filter' then call_function('filter', { 'a' => 1, 'b' => 2 }) { |pair| pair[1] > 1 }
    when 'types'
      type = Puppet::Pops::Types::TypeParser.singleton.parse(rest[0])
      [type.to_s, type.instance?(rest[1]), type.assignable?(Puppet::Pops::Types::TypeFactory.integer)]
    when 'infer' then Puppet::Pops::Types::TypeCalculator.infer_set(rest[0]).to_s
    when 'assert' then call_function('assert_type', Puppet::Pops::Types::TypeFactory.string, rest[0])
    when 'environment' then Puppet.lookup(:current_environment).name.to_s
    when 'log'
      Puppet.warning('a warning')
      Puppet.notice('a notice')
      nil
    when 'setting' then Puppet[:strict].to_s
    when 'resource' then closure_scope.catalog.resource('Notify', rest[0])&.title
    when 'system' then Puppet::Util::Execution.execute(['/bin/echo', 'a  b']).chomp
    when 'failing system' then Puppet::Util::Execution.execute(['/bin/false'])
    when 'argument' then raise ArgumentError, 'a bad argument'
    when 'issue' then raise Puppet::ParseError.new('a place', '/some/file.pp', 3)
    when 'exit' then exit(3)
    when 'abort' then abort('so')
    when 'stop' then throw :something
    when 'symbol' then [:a, { b: :c }, :default]
    when 'undef' then [nil, :undef, { 'a' => :undef }]
    when 'same' then rest[0]
    when 'iterable' then Puppet::Pops::Types::Iterable.asserted_iterable(self, rest[0]).to_a
    when 'describe'
      expected = Puppet::Pops::Types::TypeParser.singleton.parse('Array[String]')
      Puppet::Pops::Types::TypeMismatchDescriber.new
                                                .describe_mismatch('the value', expected, Puppet::Pops::Types::TypeCalculator.infer_set(rest[0]))
    when 'file system'
      [Puppet::FileSystem.exist?('/etc'), Puppet::FileSystem.dir_exist?('/etc'), Puppet::FileSystem.exist?('/nothing'),
       Puppet::FileSystem.basename('/a/b.c').to_s, Puppet::FileSystem.read(rest[0]).lines.first]
    when 'modes'
      modes = Object.new.extend(Puppet::Util::SymbolicFileMode)
      valid = modes.valid_symbolic_mode?(rest[0])
      [valid, modes.normalize_symbolic_mode(rest[0]), valid ? modes.symbolic_mode_to_int(rest[0], 0o755) : nil]
    when 'lookup' then call_function('lookup', 'nothing_there', { 'default_value' => rest[0] })
    when 'loaders' then closure_scope.compiler.loaders.private_environment_loader.load(:function, rest[0]).nil?
    when 'print'
      puts 'printed'
      $stderr.puts 'told'
      STDOUT.puts 'direct'
      system('echo from a program')
      nil
    end
  end
end
