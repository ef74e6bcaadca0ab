Puppet::Functions.create_function(:'p::partly') do
  dispatch :partly do
    param 'Any', :value
  end
  def partly(value)
    raise Puppet::ParseError, 'called twice' if closure_scope.include?('partly_set')
    closure_scope['partly_set'] = 'set'
    call_function('notice', 'once')
    [value, [value].pack('A3'), closure_scope['partly_set']]
  end
end
