# frozen_string_literal: true

Puppet::Functions.create_function(:'api::own_call') do
  dispatch :run do
    param 'Any', :scope
    repeated_param 'Integer', :numbers
  end

  def call(scope, *args, &block)
    self.class.dispatcher.dispatch(self, scope, [scope] + args, &block)
  end

  def run(scope, *numbers)
    [scope['title'].to_s, numbers]
  end
end
