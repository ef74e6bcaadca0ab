# Returns objects that cannot be represented as values of the language.
Puppet::Functions.create_function(:'m::object') do
  dispatch :make do
    param 'String', :kind
  end

  class ::MadeByCode
    def to_s
      'made'
    end

    def size
      3
    end
  end

  def make(kind)
    case kind
    when 'own' then MadeByCode.new
    when 'class' then MadeByCode
    when 'set' then Set.new([1, 2])
    when 'range' then 1..3
    when 'nested' then [1, { 'x' => MadeByCode.new }]
    end
  end
end
