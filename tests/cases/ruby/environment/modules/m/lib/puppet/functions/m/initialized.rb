# frozen_string_literal: true

Puppet::Functions.create_function(:'m::initialized') do
  dispatch :run do
  end

  def initialize(closure_scope, loader)
    super
    @found = loader.respond_to?(:load)
  end

  def run
    @found
  end
end
