# frozen_string_literal: true

Puppet::Functions.create_function(:'api::bad_dispatch') do
  dispatch :run do
    optional_param 'Any', :a
    param 'Any', :b
  end

  def run(*)
    1
  end
end
