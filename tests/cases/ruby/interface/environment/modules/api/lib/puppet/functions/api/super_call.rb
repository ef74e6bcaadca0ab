# frozen_string_literal: true

Puppet::Functions.create_function(:'api::super_call') do
  dispatch :run do
    param 'Integer', :x
    return_type 'String'
  end

  def call(scope, *args, &block)
    super(scope, *args.map { |x| x.to_i + 1 }, &block)
  end

  def run(x)
    x > 5 ? x : x.to_s
  end
end
