# frozen_string_literal: true

Puppet::Functions.create_function(:'api::script', Puppet::Functions::InternalFunction) do
  dispatch :run do
    compiler_param
    param 'String', :what
  end

  def run(compiler, what)
    case what
    when 'call' then compiler.call_function('api::twice', 4)
    when 'has' then [compiler.has_function?('api::twice'), compiler.has_function?('api::none')]
    when 'type' then compiler.type('Integer[1,2]').to_s
    when 'evaluate' then compiler.evaluate_string('1 + 2')
    when 'instance' then compiler.create('Integer', '7')
    when 'signature' then compiler.function_signature('api::twice').callable_with?([5])
    end
  end
end
