# frozen_string_literal: true

Puppet::Functions.create_function(:'api::keyword_error') do
  dispatch :run do
    param 'Nothing::Type', :a
  end

  def run(a)
    a
  end
end
